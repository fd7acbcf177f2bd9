// Files: those that a person brings (chosen, dropped or pasted, sent to the gateway at once and named in the next request), and how any are shown.

import { el, setText } from "./dom.js";
import { words } from "./words.js";

const MOST = 20; // in one request; their names must fit into its frame
const TRIES = 5; // while the gateway is busy
const PAUSE = 2000; // milliseconds between them

/** A file of the log, as a link. */
export function fileItem(f) {
  return el("li", {}, el("a", { href: `/v1/files/${encodeURIComponent(f.ref)}`, download: f.name || "" }, f.name || f.ref),
    el("span", { className: "dim" }, [f.description, f.bytes ? size(f.bytes) : ""].filter(Boolean).join(" · ")));
}

const LARGEST = 2 << 20; // bytes of a picture that is shown
const POINTS = 25e6; // of a PNG that is shown: it may unpack to 100 MB
const DRAWING = /^image\/svg\+xml\b/;
// What in a drawing is no plain shape. It could repeat itself without end (use, entities), move or filter, and so stall the page. A name goes on behind a colon:
// <g:use> may be a use.
const FANCY = /<(?!(?:\?xml|\/?(?:svg|g|path|rect|line|circle|ellipse|polyline|polygon|text|tspan|title|desc|defs|clipPath))[\s/>])/;
const CLIP = /<clipPath\b[^]*?(?:<\/clipPath|$)/g; // in one that is clipped itself, too

/** Shows a file of the log that is a picture; null for any other. An image element runs no script and loads nothing further. */
export function picture(f) {
  if (f.type !== "image/png" && !DRAWING.test(f.type ?? "") || f.bytes > LARGEST) return null;
  const image = el("img", { alt: f.description || f.name || "", loading: "lazy", decoding: "async" });
  const shown = el("figure", {}, image);
  const url = `/v1/files/${encodeURIComponent(f.ref)}`;
  image.onerror = () => shown.remove(); // the link to it stays
  isHarmless(url).then((yes) => { if (yes) image.src = url; else shown.remove(); });
  return shown;
}

/** Whether a picture can be had, and cannot stall the page: a drawing of plain shapes, or a PNG of bounded size. */
export async function isHarmless(url) {
  try {
    const answer = await fetch(url);
    const content = answer.ok ? await answer.arrayBuffer() : new ArrayBuffer(0);
    const head = new DataView(content);
    if (content.byteLength > 24 && head.getUint32(0) === 0x89504e47) return head.getUint32(16) * head.getUint32(20) <= POINTS; // its first chunk tells
    const text = new TextDecoder().decode(content);
    return text.includes("<svg") && !FANCY.test(text) && !text.match(CLIP)?.some((clip) => /clip-path|style|&/.test(clip));
  } catch {
    return false; // the status line tells that the connection is lost
  }
}

function size(bytes) {
  return bytes < 1024 ? `${bytes} B` : bytes < 1 << 20 ? `${(bytes / 1024).toFixed(1)} KiB` : `${(bytes / (1 << 20)).toFixed(1)} MiB`;
}

/** What the next request brings. One file is sent at a time. */
export class Tray {
  #list;
  #chips = [];
  #on;
  #most; // a promise of the bytes that a file may have

  /** list: the element for the chips; on: { changed(), say(text) } */
  constructor(list, on) {
    this.#list = list;
    this.#on = on;
  }

  get busy() {
    return this.#chips.some((c) => c.state === "waiting" || c.state === "sending");
  }

  get empty() {
    return !this.#chips.length;
  }

  /** Brings a dropped or pasted DataTransfer's files; false when it has none. */
  addFrom(transfer) {
    const folders = new Set();
    for (const item of transfer.items) {
      if (item.kind === "file" && item.webkitGetAsEntry?.()?.isDirectory) folders.add(item.getAsFile()?.name);
    }
    this.add([...transfer.files], folders);
    return transfer.files.length > 0;
  }

  /** Brings files; those that are folders cannot be brought, and say so. */
  add(files, folders = new Set()) {
    for (const file of files) {
      const chip = new Chip(file, () => this.#remove(chip), () => this.#retry(chip));
      this.#chips.push(chip);
      this.#list.append(chip.node);
      if (folders.has(file.name)) chip.fail(words.noFolders);
      if (this.#chips.length > MOST) {
        chip.fail(words.tooManyFiles(MOST));
        break;
      }
    }
    this.#next();
  }

  /** Gives the files as a request names them, and is empty then. null while one is not there: the first that failed has the focus. */
  take() {
    const failed = this.#chips.find((c) => c.state !== "there");
    if (failed) {
      failed.node.querySelector("button:not([hidden])").focus();
      return null;
    }
    const files = this.#chips.map((c) => c.artifact);
    this.#chips = [];
    this.#list.replaceChildren();
    this.#on.changed();
    return files;
  }

  #remove(chip) {
    const i = this.#chips.indexOf(chip);
    this.#chips.splice(i, 1);
    chip.stop();
    chip.node.remove();
    this.#chips[Math.min(i, this.#chips.length - 1)]?.node.querySelector("button:last-of-type").focus();
    this.#next();
  }

  #retry(chip) {
    chip.show("waiting");
    this.#next();
  }

  /** Sends the next one when none is under way. */
  async #next() {
    this.#on.changed();
    const chip = this.#chips.find((c) => c.state === "waiting");
    if (!chip || this.#chips.some((c) => c.state === "sending")) return;
    chip.show("sending");
    this.#most ??= bound();
    const most = await this.#most;
    if (chip.file.size > most) chip.fail(words.tooLarge(size(most)));
    else await chip.send();
    if (!this.#chips.includes(chip)) return; // taken away meanwhile
    this.#on.say(chip.state === "there" ? words.fileThere(chip.name) : `${chip.name}: ${chip.why}`);
    this.#next();
  }
}

/** The bytes that a file may have; the gateway itself says no to more when it cannot be asked. */
async function bound() {
  try {
    const answer = await fetch("/v1/files");
    return (answer.ok && (await answer.json()).bytes) || Infinity;
  } catch {
    return Infinity;
  }
}

class Chip {
  state = ""; // waiting, sending, there, failed
  artifact = null; // as the gateway gave it
  why = "";
  #progress;
  #again;
  #note = el("span", { className: "bad" });
  #request = null;

  constructor(file, remove, again) {
    this.file = file;
    this.name = file.name.replace(/[\p{Cc}\p{Bidi_C}\\/]/gu, "_"); // what some systems allow in a name, and the gateway does not
    this.#progress = el("progress", { max: 1, value: 0, "aria-label": words.sendingFile(this.name) });
    this.#again = el("button", { type: "button", onclick: again, hidden: true, "aria-label": words.sendFileAgain(this.name) }, words.tryAgain);
    this.node = el("li", { className: "chip" },
      el("bdi", { className: "name", title: this.name }, this.name), el("span", { className: "dim" }, size(file.size)), this.#progress, this.#note, this.#again,
      el("button", { type: "button", className: "remove", onclick: remove, "aria-label": words.removeFile(this.name) }, "✕"));
    this.show("waiting");
  }

  show(state, why = "", again = false) {
    this.state = this.node.dataset.state = state;
    this.why = why;
    setText(this.#note, why);
    this.#again.hidden = !again;
    this.#progress.hidden = state === "there" || state === "failed";
    this.#progress.value = 0;
  }

  fail(why, again = false) {
    this.show("failed", why, again);
  }

  /** Sends the file; afterwards it is there, or has failed. */
  async send() {
    for (let n = 1; ; n++) {
      const { status, body } = await this.#post();
      if (status === 201 && body?.ref) {
        this.artifact = body;
        return this.show("there");
      }
      if (status !== 503 || !body?.retryable || n === TRIES) {
        return this.fail(body?.message ? `${body.message} ${words.advice[body.code] ?? ""}` : words.fileLost, !body?.message || body.retryable);
      }
      await new Promise((done) => setTimeout(done, PAUSE));
      if (this.state !== "sending") return; // taken away meanwhile
    }
  }

  /** Gives up what is under way. */
  stop() {
    this.state = "gone";
    this.#request?.abort();
  }

  #post() {
    return new Promise((done) => {
      const request = (this.#request = new XMLHttpRequest()); // fetch does not tell how far it is
      request.open("POST", `/v1/files?name=${encodeURIComponent(this.name)}`);
      request.responseType = "json";
      request.upload.onprogress = ({ loaded, total }) => { this.#progress.value = total ? loaded / total : 0; };
      request.onloadend = () => done({ status: request.status, body: request.response });
      request.send(this.file);
    });
  }
}
