// The WebSocket to the gateway: connects, resumes after the last sequence seen, and sends again what was not accepted yet.

import { parse } from "./value.js";
import { words } from "./words.js";

const SOON = 500; // milliseconds before the first try to reconnect, on average; doubles up to LATE
const LATE = 5000;
const MOST = 64 << 10; // bytes of a frame that the gateway takes

export class Link {
  #socket = null;
  #pending = new Map(); // frames by client id that nobody has accepted yet
  #wait = SOON;
  #timer = 0;
  #session = "";
  #away = ""; // why the gateway cannot reach the bus
  #on;

  /**
   * on: { position() → last sequence seen, record(seq, record), live(text), caughtUp(), resync(from), accepted(frame),
   * refused(error), status(name) } with the names connecting, online, offline, ended, and, while the
   * gateway waits for the bus, lost and silent.
   */
  constructor(on) {
    this.#on = on;
    addEventListener("online", () => this.#soon(0));
    document.addEventListener("visibilitychange", () => { if (!document.hidden) this.#soon(0); });
  }

  /** Follows one session from position() on; a session followed before is let go. */
  follow(session) {
    this.#session = session;
    const old = this.#socket;
    this.#socket = null;
    old?.close();
    this.#connect();
  }

  /**
   * Sends a frame with an id, now or as soon as there is a connection, until it is accepted or refused. One that the gateway would hang up on is refused here: sent
   * again after each reconnect it would hold up all that is said after it.
   */
  send(frame) {
    const over = new TextEncoder().encode(JSON.stringify(frame)).length - MOST;
    if (over > 0) return this.#on.refused({ code: "too_large", message: words.frameTooLarge(over) }, frame);
    this.#pending.set(frame.id, frame);
    this.#transmit(frame);
  }

  #transmit(frame) {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(frame));
  }

  #connect() {
    clearTimeout(this.#timer);
    this.#timer = 0;
    const socket = new WebSocket(new URL("/v1/ws", location.href.replace(/^http/, "ws")));
    this.#socket = socket;
    this.#away = "";
    this.#on.status("connecting");
    socket.onopen = () => {
      if (socket !== this.#socket) return;
      socket.send(JSON.stringify({ type: "follow", session: this.#session, after: this.#on.position() }));
      for (const frame of this.#pending.values()) this.#transmit(frame);
    };
    socket.onmessage = (event) => { if (socket === this.#socket) this.#take(parse(event.data)); };
    socket.onclose = (event) => {
      if (socket !== this.#socket) return;
      this.#socket = null;
      if (event.code >= 4400 && event.code < 4500) return this.#on.status("ended");
      this.#on.status("offline");
      // Anywhere up to twice the mean: when a gateway goes, everybody on it comes back, and not all at once.
      this.#timer = setTimeout(() => this.#connect(), this.#wait * 2 * Math.random());
      this.#wait = Math.min(this.#wait * 2, LATE);
    };
  }

  #soon(ms) {
    if (!this.#timer) return; // connected, or trying
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#connect(), ms);
  }

  #take(frame) {
    switch (frame.type) {
      case "record": return this.#on.record(frame.seq, frame.record);
      case "live": return this.#on.live(frame);
      case "resync": return this.#on.resync(frame.from);
      case "caught_up":
        this.#wait = SOON;
        this.#on.status(this.#away || "online");
        return this.#on.caughtUp();
      case "status":
        this.#away = frame.bus === "away" ? frame.why : "";
        if (!this.#away) for (const frame of this.#pending.values()) this.#transmit(frame);
        return this.#on.status(this.#away || "online");
      case "accepted":
        if (this.#pending.delete(frame.id)) this.#on.accepted(frame);
        return;
      case "error": {
        if (this.#away && frame.retryable && this.#pending.has(frame.id)) return; // sent again when the bus is back
        const sent = this.#pending.get(frame.id);
        this.#pending.delete(frame.id);
        return this.#on.refused(frame, sent);
      }
    }
  }
}
