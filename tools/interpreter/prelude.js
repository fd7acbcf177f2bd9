// What code finds besides the language: print, console, and readFile, writeFile and listFiles of the working folder.
(() => {
  const write = globalThis.__write;
  const show = (v) => {
    if (typeof v === 'string') return v;
    if (v instanceof Error) return String(v) + (v.stack ? '\n' + v.stack : '');
    if (typeof v === 'object' && v !== null) {
      try {
        const text = JSON.stringify(v instanceof Map ? Object.fromEntries(v) : v instanceof Set ? [...v] : v, (_, x) => (typeof x === 'bigint' ? String(x) : x));
        if (text !== undefined) return text;
      } catch { /* it refers to itself */ }
    }
    return String(v);
  };
  const print = (...args) => { write(args.map(show).join(' ') + '\n'); };
  const evaluate = globalThis.eval;
  let failed = [];
  const end = () => { for (const e of failed) throw e; };
  const run = (code) => {
    const value = evaluate(code);
    if (value instanceof Promise) value.then((v) => v != null && print(v), (e) => { failed = [e]; });
    else if (value != null) print(value);
  };
  globalThis.print = print;
  globalThis.console = { log: print, info: print, warn: print, error: print, debug: print };
  globalThis.__run = run;
  globalThis.__end = end;
  delete globalThis.__write;
})();
