/* A line that grows with the tokens that were kept out of callers' contexts. */

import {count} from "./elements.js";

const SVG = "http://www.w3.org/2000/svg";
const WIDTH = 600;
const HEIGHT = 60;

/** Return a chart of points ({at: milliseconds, saved: tokens}), which are added up in the order of time; null without any. */
export function savedChart(points) {
  const sorted = [...points].filter((point) => point.saved > 0).sort((one, other) => one.at - other.at);
  if (!sorted.length) return null;
  const total = sorted.reduce((sum, point) => sum + point.saved, 0);
  const [first, last] = [sorted[0].at, sorted.at(-1).at];
  let sum = 0;
  const steps = sorted.map((point) => {
    sum += point.saved;
    const x = last > first ? ((point.at - first) / (last - first)) * WIDTH : WIDTH;
    return `H${x.toFixed(1)}V${(HEIGHT * (1 - sum / total)).toFixed(1)}`;
  });
  const label = `${count(total)} tokens kept out of the context`;
  const chart = svg("svg", {viewBox: `0 -2 ${WIDTH} ${HEIGHT + 4}`, preserveAspectRatio: "none", role: "img", "aria-label": label});
  const title = svg("title");
  title.textContent = label;
  chart.append(title, svg("path", {d: `M0 ${HEIGHT}${steps.join("")}H${WIDTH}`}));
  const figure = document.createElement("figure");
  const caption = document.createElement("figcaption");
  caption.textContent = label;
  figure.append(caption, chart);
  return figure;
}

function svg(name, attributes = {}) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}
