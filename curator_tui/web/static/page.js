// What the page does besides drawing: keys reach the terminal at once, and the end of a session says why it came.
"use strict";

const Plain = window.WebSocket;

window.WebSocket = class extends Plain {
  constructor(...rest) {
    super(...rest);
    this.addEventListener("open", () => document.querySelector(".xterm-helper-textarea")?.focus());
    this.addEventListener("close", (event) => {
      const known = event.reason || "The server is gone. Start it again: curator-tui serve";
      document.querySelector("#why").textContent = known;
      document.querySelector("#ended").hidden = false;
      document.querySelector("#again").focus();
    });
  }
};

document.addEventListener("DOMContentLoaded", () => {
  document.querySelector("#again").addEventListener("click", () => window.location.reload());
});
