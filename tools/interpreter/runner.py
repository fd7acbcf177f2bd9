# Runs the code in .code as a notebook's cell would: the value of a last line that is an expression is printed, plots that the code made and did not save are
# saved, and a failure is told without these lines.
import ast
import json
import linecache
import os
import sys
import traceback
import types
import warnings

# Fonts in which plots find the signs that the first one lacks, as systems have them.
FONTS = ("DejaVu Sans", "Noto Sans CJK SC", "Noto Sans CJK JP", "Source Han Sans SC", "WenQuanYi Zen Hei", "WenQuanYi Micro Hei", "Droid Sans Fallback", "Noto Serif CJK SC", "Noto Serif CJK JP")
PICTURES = (".png", ".svg", ".pdf", ".jpg", ".jpeg")


def main():
    with open(".code", encoding="utf-8", newline="") as f:
        source = f.read()
    os.remove(".code")
    with open(".args", encoding="utf-8") as f:
        args = json.load(f)
    os.remove(".args")
    home = os.getcwd()
    before = seen(home)
    sys.path.insert(0, home)
    sys.argv = ["code"]
    warnings.filterwarnings("ignore", message=".*non-interactive.*")
    linecache.cache["<code>"] = (len(source), None, source.splitlines(True), "<code>")
    module = types.ModuleType("__main__")
    sys.modules["__main__"], scope = module, module.__dict__
    scope["args"] = args
    if "matplotlib" in source:
        fonts()
    try:
        tree, last = ast.parse(source, "<code>"), None
        if tree.body and isinstance(tree.body[-1], ast.Expr):
            last = ast.Expression(tree.body.pop().value)
        exec(compile(tree, "<code>", "exec"), scope)
        if last is not None:
            value = eval(compile(last, "<code>", "eval"), scope)
            if value is not None:
                print(value if isinstance(value, str) else repr(value))
        plots(home, before)
    except SystemExit:
        plots(home, before)
        raise
    except BaseException as e:
        trace = e.__traceback__ and e.__traceback__.tb_next
        traceback.print_exception(type(e), e, trace)
        sys.exit(1)


def seen(home):  # when each file there was written: one that the code saves anew under its old name counts as saved
    return {e.name: e.stat(follow_symlinks=False).st_mtime_ns for e in os.scandir(home)}


def fonts():
    try:
        import matplotlib
        from matplotlib import font_manager
    except ImportError:
        return  # the code will tell
    have = {f.name for f in font_manager.fontManager.ttflist}
    found = [n for n in FONTS if n in have]
    if found:
        matplotlib.rcParams["font.family"] = found


def plots(home, before):  # home: where files are kept, wherever the code went
    pyplot = sys.modules.get("matplotlib.pyplot")
    if pyplot is None or any(n.lower().endswith(PICTURES) and before.get(n) != at for n, at in seen(home).items()):
        return
    for n in pyplot.get_fignums():
        pyplot.figure(n).savefig(os.path.join(home, "figure-%d.png" % n), dpi=150, bbox_inches="tight")


main()
