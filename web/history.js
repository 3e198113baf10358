// What was accepted, step by step, so that steps can be taken back.

import { copy, nothing, same } from "./constraints.js";

// Milliseconds within which presses of a key on one handle are one step.
const TOGETHER = 1200;

export class History {
  constructor() {
    this.accepted = nothing(); // the last that was possible and meant to stay
    this.steps = [];
    this.last = { by: null, at: 0 };
  }

  get isEmpty() {
    return !this.steps.length;
  }

  // `by` says what was moved; going back, or asking again, is no step of its own.
  accept(constraints, { by = null, undoing = false, at = Date.now() } = {}) {
    if (!undoing && !same(constraints, this.accepted)) {
      const together = by !== null && by === this.last.by && at - this.last.at < TOGETHER;
      if (!together) this.steps.push(this.accepted);
      this.last = { by, at };
    }
    this.accepted = copy(constraints);
  }

  // The step before, which is no longer one to go back to.
  back() {
    return copy(this.steps.pop());
  }

  // What was accepted turns out not to be possible: the step before holds again.
  withdraw() {
    this.accepted = this.steps.pop() ?? nothing();
  }

  // Not even what had been accepted earlier is possible any more.
  drop() {
    this.accepted = nothing();
  }
}
