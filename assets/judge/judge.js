// The page of a judge. Text from a corpus goes into text nodes only, never into HTML.
"use strict";

const parts = location.pathname.replace(/\/+$/, "").split("/");
const at = parts.lastIndexOf("j");
const base = parts.slice(0, at + 1).join("/");
const code = decodeURIComponent(parts[at + 1] || "").toUpperCase();
const main = document.getElementById("main");
const status_ = document.getElementById("status");
const EVERY = 5000; // milliseconds between two looks at a session after the last item
const keep = (name) => `gec-lens-${code}-${name}`;
let about = null;
let last = null; // the item that was drawn last
let refused = ""; // why the last answer was not kept; shown with what comes next

function make(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name in element) element[name] = value;
    else element.setAttribute(name, value);
  }
  element.append(...children);
  return element;
}

function show(...children) {
  document.onkeydown = null;
  main.replaceChildren(...children);
  window.scrollTo(0, 0);
}

class Refused extends Error {
  constructor(message, status) {
    super(message);
    this.status = status;
  }
}

async function ask(what, content = {}) {
  const headers = { "Content-Type": "application/json" };
  const token = localStorage.getItem(keep("token"));
  if (token) headers.Authorization = `Bearer ${token}`;
  const reply = await fetch(`${base}/${encodeURIComponent(code)}/${what}`, {
    method: "POST", headers, body: JSON.stringify(content),
  });
  let said = {};
  try { said = await reply.json(); } catch { /* not ours: a proxy or a server that is starting */ }
  if (reply.status >= 500 || reply.status === 429 || (!reply.ok && !said.error)) throw new TypeError(said.error || "", { cause: "later" });
  if (!reply.ok) throw new Refused(said.error, reply.status);
  return said;
}

// Asks until there is an answer: while the network is gone, nothing is lost and the page says so.
async function askUntilAnswered(what, content, waiting) {
  for (let wait = 500; ; wait = Math.min(wait * 2, 8000)) {
    try {
      const said = await ask(what, content);
      status_.textContent = "";
      return said;
    } catch (problem) {
      if (problem instanceof Refused) throw problem;
      status_.textContent = (problem.cause === "later" && problem.message) || waiting;
      await new Promise((done) => setTimeout(done, wait));
    }
  }
}

async function start() {
  if (!code) return enterCode("");
  try {
    about = await askUntilAnswered("about", {}, "The server cannot be reached. Trying again …");
  } catch (problem) {
    return enterCode(problem.message);
  }
  document.getElementById("title").textContent = about.title;
  document.title = `${about.title} · GEC Lens`;
  if (!localStorage.getItem(keep("token"))) return about.closed ? finish(about) : welcome("");
  const unsent = localStorage.getItem(keep("unsent"));
  if (unsent) await send(JSON.parse(unsent));
  await next();
}

function enterCode(problem) {
  const field = make("input", { type: "text", id: "code", autocomplete: "off", autocapitalize: "characters", value: code });
  const go = (event) => { event.preventDefault(); if (field.value.trim()) location.href = `${base}/${encodeURIComponent(field.value.trim())}`; };
  show(make("form", { onsubmit: go },
    make("p", {}, problem),
    make("label", { htmlFor: "code" }, "The code of the session"), field,
    make("div", { className: "actions" }, make("button", { className: "main" }, "Open"))));
}

function welcome(problem, before = { name: "", prediction: "" }) {
  const name = make("input", { type: "text", id: "name", maxLength: 40, autocomplete: "nickname", value: before.name });
  const children = [make("p", {}, about.instructions)];
  let prediction = null;
  children.push(make("label", { htmlFor: "name" }, "Your name (empty: a number)"), name);
  if (about.predictions.length) {
    prediction = make("select", { id: "prediction" }, make("option", { value: "" }, "–"),
      ...about.predictions.map((metric) => make("option", { value: metric }, metric)));
    prediction.value = before.prediction;
    children.push(make("label", { htmlFor: "prediction" }, "Which metric will come nearest to the ranking of all judges?"), prediction);
  }
  children.push(make("p", { className: "hint" }, `${about.items} items at most. You can stop at any time and go on later on this device.`));
  const begin = async (event) => {
    event.preventDefault();
    if (localStorage.getItem(keep("token"))) return next(); // joined in another tab meanwhile: the same judge
    const mine = { name: name.value, prediction: prediction ? prediction.value : "" };
    try { // the token is made here: if the reply is lost and the request sent again, the judge is the same
      const token = Array.from(crypto.getRandomValues(new Uint8Array(24)), (byte) => byte.toString(16).padStart(2, "0")).join("");
      const joined = await askUntilAnswered("join", { ...mine, token }, "The server cannot be reached. Trying again …");
      localStorage.setItem(keep("token"), joined.token);
      await next();
    } catch (refused) {
      welcome(refused.message, mine);
    }
  };
  show(make("form", { onsubmit: begin }, make("p", { role: "alert" }, problem), ...children,
    make("div", { className: "actions" }, make("button", { className: "main" }, "Begin"))));
}

async function next() {
  let said;
  try {
    said = await askUntilAnswered("next", {}, "The server cannot be reached. Trying again …");
  } catch (problem) {
    if (problem.status === 401) {
      localStorage.removeItem(keep("token"));
      return welcome(problem.message);
    }
    return show(make("p", { role: "alert" }, problem.message),
      make("div", { className: "actions" }, make("button", { onclick: next }, "Try again")));
  }
  if (said.done) finish(said);
  else draw(said.item, null);
  status_.textContent = refused;
  refused = "";
}

// The answer is kept in this browser until the server has stored it; only then the next item shows.
async function send(answer) {
  localStorage.setItem(keep("unsent"), JSON.stringify(answer));
  try {
    await askUntilAnswered("answer", answer, "The network is gone. Your answer is kept on this device and will be sent.");
  } catch (problem) {
    refused = `Your last answer was not kept. ${problem.message}`;
  }
  localStorage.removeItem(keep("unsent"));
}

async function back() {
  try {
    const said = await askUntilAnswered("back", {}, "The server cannot be reached. Trying again …");
    if (said.none) status_.textContent = "There is nothing to undo.";
    else draw(said.item, said.values);
  } catch (problem) {
    status_.textContent = problem.message;
  }
}

// Waits for the results, or for another item: the owner may ask for more, or somebody leaves an item unanswered.
async function follow() {
  const shown = main.firstChild;
  for (;;) {
    await new Promise((done) => setTimeout(done, EVERY));
    if (main.firstChild !== shown) return;
    try {
      const said = await ask(localStorage.getItem(keep("token")) ? "next" : "about");
      if (said.item) return draw(said.item, null);
      if (said.revealed) return finish(said);
    } catch { /* the network is gone, or the session deleted: what is shown stays */ }
  }
}

function finish(said) {
  document.getElementById("progress").hidden = true;
  const found = said.revealed;
  if (!found) {
    const enough = last && last.number < last.of ? "There is nothing left for you to judge." : "You have judged all your items.";
    const more = said.closed ? "The session is closed." : enough;
    show(make("p", {}, `${more} Thank you! The results appear here once they are revealed.`));
    return follow();
  }
  const others = Object.entries(found.others || {});
  const head = ["Rank", "System", found.measure || "Score", ...others.map(([name]) => name)];
  const rows = found.ranking.map((row) => make("tr", {},
    ...[row.rank, row.system, row.score, ...others.map(([, ranks]) => ranks[row.system] ?? "–")].map((cell) => make("td", {}, String(cell)))));
  const table = make("table", {}, make("thead", {}, make("tr", {}, ...head.map((title) => make("th", { scope: "col" }, title)))), make("tbody", {}, ...rows));
  const children = [make("h2", {}, "The ranking of all judges"), make("div", { className: "scroll", tabIndex: 0 }, table)];
  if (others.length) children.push(make("p", { className: "hint" }, "The columns on the right are the ranks that metrics, or other judges, give these systems."));
  if (found.nearest) children.push(make("p", {}, `Nearest to the judges: ${found.nearest}.`));
  for (const line of found.notes || []) children.push(make("p", { className: "hint" }, line));
  show(...children);
}

function text(runs) {
  const line = make("p", { className: "text", dir: "auto" });
  runs.forEach((run, index) => {
    if (index) line.append(" ");
    const marked = run.kind ? make(run.kind, {}, run.text) : document.createTextNode(run.text);
    line.append(marked);
  });
  return line;
}

function draw(item, before) {
  const progress = document.getElementById("progress");
  progress.hidden = false;
  last = item;
  document.getElementById("count").textContent = `${item.number} of ${item.of}`;
  document.getElementById("bar").value = (item.number - 1) / item.of;
  const values = before ? [...before] : [];
  const started = performance.now();
  const request = crypto.randomUUID ? crypto.randomUUID() : `${Date.now()}-${Math.random()}`;
  const submit = make("button", { className: "main", disabled: true }, "Next");
  let sent = false;
  const update = (wanted) => { submit.disabled = sent || values.filter((value) => value !== undefined).length < wanted; };
  const done = async () => {
    if (sent) return;
    sent = true;
    document.onkeydown = null; // what was sent stays as it is
    for (const control of main.querySelectorAll("button, input")) control.disabled = true;
    await send({ item: item.id, values: [...values], request, seconds: (performance.now() - started) / 1000, replace: before !== null });
    await next();
  };
  submit.addEventListener("click", done);
  const source = make("div", { className: "source" }, make("b", {}, "Source"), make("span", { dir: "auto" }, item.source));
  const kinds = { ranking: item.outputs.length === 2 ? pair : ranking, rating, edits };
  const { boxes, keys, hint } = kinds[about.kind](item, values, update, done);
  const actions = make("div", { className: "actions" },
    make("button", { onclick: back, disabled: item.number === 1 && !before }, "Undo"), submit);
  if (about.kind === "ranking" && item.outputs.length === 2) submit.hidden = true;
  show(source, ...boxes, actions, make("p", { className: "hint keys" }, hint));
  document.onkeydown = (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Enter" && !submit.disabled && event.target.tagName !== "BUTTON") { event.preventDefault(); done(); }
    else if (event.key === "Backspace") { event.preventDefault(); back(); }
    else keys(event);
  };
}

function pressed(buttons, chosen) {
  buttons.forEach((button, index) => button.setAttribute("aria-pressed", String(index === chosen)));
}

function box(title, output) {
  return make("section", { className: "output", ariaLabel: title }, make("span", { className: "label" }, title), text(output.runs));
}

function pair(item, values, update, done) {
  const boxes = item.outputs.map((output, index) => box(`Output ${index + 1}`, output));
  const choices = [["Output 1 is better", [1, 2]], ["Equally good", [1, 1]], ["Output 2 is better", [2, 1]]];
  const choose = (index) => { values.splice(0, 2, ...choices[index][1]); pressed(buttons, index); done(); };
  const buttons = choices.map(([label], index) => make("button", { onclick: () => choose(index) }, label));
  pressed(buttons, choices.findIndex(([, ranks]) => ranks.every((rank, index) => rank === values[index])));
  boxes.push(make("div", { className: "choices pair" }, ...buttons));
  const keys = (event) => {
    const index = { 1: 0, ArrowLeft: 0, 0: 1, "=": 1, 2: 2, ArrowRight: 2 }[event.key];
    if (index !== undefined) choose(index);
  };
  return { boxes, keys, hint: "Keys: 1 or 2 for the better output, 0 for a tie, Backspace to undo." };
}

function ranking(item, values, update) {
  const size = item.outputs.length;
  let current = 0;
  const rows = [];
  const mark = () => boxes.forEach((element, index) => element.classList.toggle("current", index === current));
  const choose = (output, rank) => {
    values[output] = rank;
    pressed(rows[output], rank - 1);
    current = Math.min(output + 1, size - 1);
    mark();
    update(size);
  };
  const boxes = item.outputs.map((output, index) => {
    const element = box(`Output ${index + 1}`, output);
    rows[index] = Array.from({ length: size }, (_, rank) => make("button",
      { onclick: () => choose(index, rank + 1), ariaLabel: `Output ${index + 1}: rank ${rank + 1}` }, String(rank + 1)));
    pressed(rows[index], (values[index] || 0) - 1);
    element.append(make("div", { className: "choices" }, make("span", { className: "hint rank" }, "Rank (1 is best)"), ...rows[index]));
    return element;
  });
  mark();
  setTimeout(() => update(size));
  const keys = (event) => {
    const rank = Number(event.key);
    if (rank >= 1 && rank <= size) choose(current, rank);
    else if (event.key === "ArrowDown") { current = Math.min(current + 1, size - 1); mark(); event.preventDefault(); }
    else if (event.key === "ArrowUp") { current = Math.max(current - 1, 0); mark(); event.preventDefault(); }
  };
  return { boxes, keys, hint: "Keys: a number ranks the marked output, arrows move the mark, Enter goes on, Backspace undoes." };
}

function rating(item, values, update) {
  const boxes = item.outputs.map((output, index) => {
    const element = box(`Output ${index + 1}`, output);
    const shown = make("output", {}, values[index] === undefined ? "–" : String(values[index]));
    const slider = make("input", { type: "range", min: 0, max: 100, step: 1, ariaLabel: `Rating of output ${index + 1}` });
    slider.value = values[index] === undefined ? 50 : values[index];
    slider.classList.toggle("unset", values[index] === undefined);
    const take = () => { slider.classList.remove("unset"); values[index] = Number(slider.value); shown.textContent = slider.value; update(item.outputs.length); };
    slider.addEventListener("input", take);
    slider.addEventListener("pointerup", take);
    slider.addEventListener("keyup", take);
    element.append(make("div", { className: "choices" }, make("span", { className: "hint" }, "0"), slider, make("span", { className: "hint" }, "100"), shown));
    return element;
  });
  setTimeout(() => update(item.outputs.length));
  return { boxes, keys: () => {}, hint: "Keys: Tab to an output, arrows to rate it, Enter goes on, Backspace undoes." };
}

function edits(item, values, update) {
  const output = item.outputs[0];
  let current = 0;
  const rows = [];
  const boxes = [box("Output", output)];
  const list = [];
  const mark = () => list.forEach((element, index) => element.classList.toggle("current", index === current));
  const choose = (edit, verdict) => {
    values[edit] = verdict;
    pressed(rows[edit], verdict ? 0 : 1);
    current = Math.min(edit + 1, output.edits - 1);
    mark();
    update(output.edits);
  };
  for (let edit = 0; edit < output.edits; edit += 1) {
    const runs = output.runs.filter((run) => run.edit === edit);
    rows[edit] = [["Accept", 1], ["Reject", 0]].map(([label, verdict]) => make("button",
      { onclick: () => choose(edit, verdict), ariaLabel: `${label} change ${edit + 1}` }, label));
    if (values[edit] !== undefined) pressed(rows[edit], values[edit] ? 0 : 1);
    list.push(make("section", { className: "output" }, make("span", { className: "label" }, `Change ${edit + 1}`),
      text(runs), make("div", { className: "choices" }, ...rows[edit])));
  }
  mark();
  setTimeout(() => update(output.edits));
  const keys = (event) => {
    if (event.key === "y" || event.key === "1") choose(current, 1);
    else if (event.key === "n" || event.key === "0") choose(current, 0);
    else if (event.key === "ArrowDown") { current = Math.min(current + 1, output.edits - 1); mark(); event.preventDefault(); }
    else if (event.key === "ArrowUp") { current = Math.max(current - 1, 0); mark(); event.preventDefault(); }
  };
  return { boxes: [...boxes, ...list], keys, hint: "Keys: y accepts and n rejects the marked change, arrows move the mark, Enter goes on, Backspace undoes." };
}

start();
