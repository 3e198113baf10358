// Whether the server is there, and still the one with the fit that is shown.

import { isEmpty, sifted } from "./constraints.js";
import { Lost } from "./transport.js";
import { renewed } from "./words.js";

const PATIENCE = 700; // milliseconds until a lost server is tried again

export class Connection {
  constructor(explorer) {
    this.explorer = explorer;
  }

  offline() {
    this.explorer.root.classList.add("offline");
    this.explorer.setStatus("The connection to the explorer is lost. Trying again …");
    clearTimeout(this.retry);
    this.retry = setTimeout(() => this.reconnect(), PATIENCE);
  }

  online() {
    this.explorer.root.classList.remove("offline");
    clearTimeout(this.retry);
  }

  async reconnect() {
    try {
      if (await this.isAnother()) return await this.renew();
      this.online();
      await this.explorer.propose(this.explorer.constraints, { undoing: true });
    } catch (error) {
      this.complain(error);
    }
  }

  // Look whether the server is still there, and still the same.
  async watch() {
    if (this.looking || this.explorer.root.classList.contains("offline") || this.explorer.root.hasAttribute("aria-busy")) return;
    this.looking = true;
    try {
      if (await this.isAnother()) await this.renew();
    } catch (error) {
      this.complain(error);
    } finally {
      this.looking = false;
    }
  }

  // Whether the server was started again with another fit.
  async isAnother() {
    return (await this.explorer.transport.get("ping")).fingerprint !== this.explorer.start.fingerprint;
  }

  // Several may notice at once; what was asked is asked of the other fit once.
  renew() {
    this.renewing ??= this.#renew().finally(() => (this.renewing = null));
    return this.renewing;
  }

  // Go on with another fit, as far as it knows the features.
  async #renew() {
    const { explorer } = this;
    const start = await explorer.transport.get("start", { page: explorer.page });
    const { known, unknown } = sifted(explorer.history.accepted, start.features.map((feature) => feature.name));
    explorer.load(start);
    explorer.finish();
    const asking = isEmpty(known) ? null : explorer.propose(known, { undoing: true, unknown });
    if (unknown.length) explorer.tell(renewed(unknown));
    await asking;
  }

  complain(error) {
    if (error instanceof Lost) this.offline();
    else this.explorer.setStatus(error.message);
  }
}
