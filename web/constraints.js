// What a question asks: features that are forbidden, kept or bounded. Values that nobody changes;
// every function gives new ones.

import { round } from "./words.js";

const FORMAT = "allrelevant.question/1";

export const nothing = () => ({ forbid: [], keep: [], bounds: {} });
export const copy = (constraints) => JSON.parse(JSON.stringify(constraints));
export const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);

export function isEmpty({ forbid, keep, bounds }) {
  return !forbid.length && !keep.length && !Object.keys(bounds).length;
}

export function namesIn({ forbid, keep, bounds }) {
  return [...new Set([...forbid, ...keep, ...Object.keys(bounds)])];
}

// What of a question is about features of these names, and the names of all others.
export function sifted({ forbid, keep, bounds }, names) {
  const isKnown = (name) => names.includes(name);
  const known = {
    forbid: forbid.filter(isKnown),
    keep: keep.filter(isKnown),
    bounds: Object.fromEntries(Object.entries(bounds).filter(([name]) => isKnown(name))),
  };
  return { known, unknown: namesIn({ forbid, keep, bounds }).filter((name) => !isKnown(name)) };
}

// Forbid or keep a feature, or no longer; nothing else is asked of it then.
export function toggled(constraints, word, name) {
  const next = copy(constraints);
  const other = word === "forbid" ? "keep" : "forbid";
  const on = next[word].includes(name);
  next[word] = on ? without(next[word], name) : [...next[word], name];
  next[other] = without(next[other], name);
  delete next.bounds[name];
  return next;
}

// What is asked of all features but one.
export function ofOthers({ forbid, keep, bounds }, name) {
  const { [name]: own, ...rest } = bounds;
  return { forbid: without(forbid, name), keep: without(keep, name), bounds: rest };
}

// Bound one end of a feature's relevance, which frees it of being forbidden or kept. `least` and
// `most` are the ends of its bar without constraints, `close` is what counts as the same place.
export function bounded(constraints, name, end, value, { least, most, close }) {
  const bounds = { ...constraints.bounds };
  let [low, high] = bounds[name] ?? [0, null];
  // A bound that the unconstrained bar keeps anyway is no bound.
  if (end === "low") low = value <= least + close ? 0 : Math.min(value, most, high ?? most);
  else high = value >= most - close ? null : Math.max(value, least, low);
  if (low === 0 && high === null) delete bounds[name];
  else bounds[name] = [round(low), high === null ? null : round(high)];
  const { forbid, keep } = constraints;
  return { forbid: without(forbid, name), keep: without(keep, name), bounds };
}

// A question as a file that other pages open.
export function asFile(constraints, title, costs) {
  return JSON.stringify({ format: FORMAT, title, constraints, costs }, null, 2);
}

// The question in a file, about features of these names, and what they cost: nothing where the
// file says nothing of costs.
export function fromFile(text, names) {
  const content = JSON.parse(text);
  if (content.format !== FORMAT) throw new Error(`it is not of the form ${FORMAT}`);
  const constraints = { ...nothing(), ...content.constraints };
  const { costs = null } = content;
  const priced = Object.keys(costs ?? {}).filter((name) => !names.includes(name));
  const unknown = [...sifted(constraints, names).unknown, ...priced];
  if (unknown.length) throw new Error(`there is no feature ${unknown[0]} here`);
  if (!Object.values(costs ?? {}).every((cost) => Number.isFinite(cost) && cost >= 0)) {
    throw new Error("a cost is no number of at least 0");
  }
  return { constraints, costs };
}

function without(names, name) {
  return names.filter((one) => one !== name);
}
