/* Elements of a page, made from values. Text is always set as text, never as markup. */

/** Return a new element: its name with classes ("a.line"), its properties, its children (elements or text). */
export function element(description, properties = {}, ...children) {
  const [name, ...classes] = description.split(".");
  const made = document.createElement(name);
  made.classList.add(...classes);
  Object.assign(made, properties);
  made.append(...children);
  return made;
}

/** Return a number as people write it. */
export function count(number) {
  return number.toLocaleString("en");
}

/** Return a time as people read it, in their own time zone, of 24 hours: AM and PM are cut off in narrow columns. */
export function timeOf(timestamp) {
  return new Date(timestamp).toLocaleString([], {dateStyle: "short", timeStyle: "medium", hourCycle: "h23"});
}
