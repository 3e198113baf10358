// What the page says, and how it writes numbers.

export const WORDS = {
  strong: "no good model does without it",
  weak: "can be used",
  irrelevant: "need not be used",
  forbidden: "must not be used",
};
export const BOUND = "an upper bound: the exact end is smaller, and was not computed";
export const EXPLAINS = "passes the conditional test (residuals of a model of the other features), so it need not exceed the noise threshold";
export const NOISE_TOO = "every good model uses it, but would use noise as much";
const LITTLE = 5e-4; // what is shown as more than 0
export const EITHER = "could be either: with other shuffled columns it may pass the noise threshold or not";

export const percent = (part) => `${(100 * part).toFixed(3)}%`;
export const round = (value) => Number(value.toPrecision(4));
export const shown = (value) => (value === null ? "unknown" : value.toFixed(3));
export const small = (p) => (p < 1e-4 ? "< 0.0001" : String(Number(p.toPrecision(2))));

export const times = (factor) => `${round(factor)} times`;
export const priceInWords = (own) => `to …: every model needs it up to this tolerance (${own} here)`;

// What is known of one column of a feature; of several classes nothing is under constraints.
export function ofColumn({ name, low, high, reference }, byClass) {
  if (reference) return `${name}: no weight, the others are compared with it`;
  if (byClass && low === null) return name;
  return `${name}: ${byClass ? "difference between classes" : "weight"} ${shown(low)} to ${shown(high)}`;
}

export function inWords({ forbid, keep, bounds }) {
  const parts = [];
  if (forbid.length) parts.push(`without ${forbid.join(", ")}`);
  if (keep.length) parts.push(`always with ${keep.join(", ")}`);
  for (const [name, [low, high]] of Object.entries(bounds)) {
    const least = low ? `at least ${shown(low)}` : "";
    const most = high === null ? "" : `at most ${shown(high)}`;
    parts.push(`${name} ${[least, most].filter(Boolean).join(" and ")}`);
  }
  return parts.join("; ");
}

// What is asked, in a line.
export function asked(constraints, factor) {
  const what = inWords(constraints);
  const at = factor === 1 ? "" : ` at ${times(factor)} the tolerance`;
  if (what) return `What if: ${what}${at}`;
  return at ? `All models${at}` : "All equally good models";
}

// Why a slider went back.
export function tooNarrow(event, factor) {
  if (event.kind !== "impossible") return `That could not be computed, so nothing was changed. ${event.message}`;
  return `Impossible: at ${times(factor)} the tolerance no model does what is asked. Nothing was changed.`;
}

// Which of all features are listed, where not all are.
export const listed = (n, all) => `${n} of ${all} are listed`;

// Why the list is empty.
export function nobody(text, kind) {
  const scope = kind === "all classes" ? "" : ` among those shown (${kind})`;
  return text.trim() ? `No feature has “${text.trim()}” in its name${scope}.` : `There is none${scope}.`;
}

// How many features are of which class.
export function summary(features) {
  const count = (word) => features.filter((feature) => feature.class === word).length;
  const either = features.filter((feature) => feature.borderline).length;
  const kinds = ["strong", "weak", "irrelevant"].map((word) => `${count(word)} ${word}`);
  if (count("forbidden")) kinds.push(`${count("forbidden")} forbidden`);
  return `${features.length} features: ${kinds.join(", ")}${either ? `; ${either} could be either` : ""}`;
}

// Why a question changed nothing.
export function refusal(event, constraints) {
  if (event.kind !== "impossible") return `That could not be computed, so nothing was changed. ${event.message}`;
  const { clash = [], tolerance = null } = event;
  const together = clash.length > 1 ? "all of this together" : "this";
  const what = clash.join(", ") || inWords(constraints);
  const worse = tolerance === null ? ""
    : ` Models that are somewhat worse could, with a tolerance of ${round(tolerance)}.`;
  return `Impossible: no equally good model does ${together}: ${what}. Nothing was changed.${worse}`;
}

// Why something that was possible is no longer asked.
export function dropped(event, constraints) {
  const what = inWords(constraints);
  if (event.kind === "impossible") {
    return `No equally good model does what was asked before (${what}), so it was dropped.`;
  }
  return `What was asked before (${what}) could not be computed, so it was dropped. ${event.message}`;
}

// What else to know when the server was started again with another fit.
export function renewed(unknown) {
  const them = unknown.length === 1 ? "it" : "them";
  const lacks = ` It does not know ${unknown.join(", ")}: what was asked of ${them} was dropped.`;
  return `Another fit answers now.${unknown.length ? lacks : ""}`;
}

// What doing without a feature takes: nothing where one model does, no number where none ever does.
export function priced(price) {
  if (price === undefined || price === 0) return "";
  if (price === null) return "to any";
  return price < 0.001 ? "to < 0.001" : `to ${Number(price.toPrecision(2))}`;
}

// Relevant by the conditional test, and not by its upper end.
export const isStarred = (before, now) => Boolean(before.explains) && !now.borderline && ["strong", "weak"].includes(now.class);

// The marks of a feature, which the legend explains.
export function marks(before, now) {
  return [now.borderline ? "?" : "", now.bound ? "≤" : "", isStarred(before, now) ? "∗" : ""].filter(Boolean);
}

// How sure a class is; p belongs to the fit, not to a question with constraints.
export function certainty(before, now, constrained) {
  const parts = before.noise === null ? [] : [`noise threshold ${shown(before.noise)}`];
  if (before.p !== null) parts.push(`p ${small(before.p)}${constrained ? " without constraints" : ""}`);
  if (now.class === "irrelevant" && now.min >= LITTLE) parts.push(NOISE_TOO);
  if (now.borderline) parts.push(EITHER);
  if (now.bound) parts.push(BOUND);
  if (isStarred(before, now) || (before.explains && now.borderline)) parts.push(EXPLAINS);
  return parts;
}
