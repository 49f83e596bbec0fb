// Builds the frame around a page (side bar, top bar, what lies over it) and puts the page into the
// look that the query string asks for:
//   theme=dark   hover=ELEMENT   focus=ELEMENT   scroll=PIXELS   variant=NAME   open=OVERLAY
// Nothing here reads a clock, a random number or the network: a page is the same on every run.
const ASKED = new URLSearchParams(location.search);

const NAVIGATION = [
  ["Dashboard", "home"], ["Invoices", "invoice"], ["Customers", "people"],
  ["Reports", "chart"], ["Archive", "box"],
];

function navigation(label, name, active) {
  const state = label === active ? " is-active" : "";
  return `<a class="nav${state}" data-type="link">${icon(name, 20)}<span>${label}</span></a>`;
}

function sideBar(active) {
  const pages = NAVIGATION.map(([label, name]) => navigation(label, name, active)).join("");
  return `<nav class="side" data-scope="app"><div class="brand" data-type="text">${icon("anchor", 24)}<span>Harbor</span></div>`
    + `${pages}<div class="side-title">WORKSPACE</div>${navigation("Settings", "gear", active)}</nav>`;
}

function topBar() {
  return `<header class="top" data-scope="app">
    <div class="search" data-type="input" aria-label="Search Harbor">${icon("search", 18)}<span>Search invoices and customers</span></div>
    <div class="grow"></div>
    <button class="icon-btn" aria-label="Help">${icon("help", 20)}</button>
    <button class="icon-btn bell" aria-label="Notifications">${icon("bell", 20)}<span class="count">3</span></button>
    <button class="avatar" aria-label="Account">MK</button></header>`;
}

const ACCOUNT_MENU = `<div class="menu" data-scope="account-menu"><div class="who"><b>Mara Kessler</b><div class="lead">mara@harbor.example</div></div>
  <button class="item">${icon("user", 18)}<span>Your profile</span></button>
  <button class="item">${icon("moon", 18)}<span>Dark theme</span></button>
  <button class="item">${icon("gear", 18)}<span>Workspace settings</span></button>
  <button class="item">${icon("leave", 18)}<span>Sign out</span></button></div>`;

const NEWS = [
  ["check", "green", "Marrow Studio paid INV-1043", "09:41"], ["send", "blue", "Reminder sent to Atlas Cycling", "09:12"],
  ["clock", "amber", "INV-1044 is overdue", "Yesterday"], ["user", "grey", "Juniper & Finch was added", "Monday"],
  ["mail", "blue", "Lumen Optics has a question", "Monday"], ["download", "grey", "Your March statement is ready", "Sunday"],
];

function newsItem([name, colour, what, when], at) {
  return `<div data-row="news-${at + 1}"><span class="dot badge ${colour}" data-type="icon">${icon(name, 18)}</span>`
    + `<span class="what">${what.replace("&", "&amp;")}</span><span class="when">${when}</span></div>`;
}

function newsPanel() {
  return `<aside class="panel" data-scope="notifications"><div class="head"><h2>Notifications</h2><div class="grow"></div>
    <button class="btn small">${icon("check", 15)}<span>Mark all as read</span></button>
    <button class="icon-btn small" aria-label="Close">${icon("right", 18)}</button></div>
    <div class="tabs"><button class="tab is-active">Unread</button><button class="tab">Everything</button></div>
    <div class="feed">${NEWS.map(newsItem).join("")}</div>
    <div class="panel-foot"><a class="link">Notification settings</a></div></aside>`;
}

function overlay(name) {
  if (name === "account-menu") return ACCOUNT_MENU;
  if (name === "notifications") return newsPanel();
  const stored = document.querySelector(`template[data-overlay="${name}"]`);
  if (!stored) throw new Error(`no overlay "${name}"`);
  return stored.innerHTML;
}

// An element marked data-only="moved" stands only in that variant, data-not="moved gone" in none of them.
function keepVariant(variant) {
  for (const element of document.querySelectorAll("[data-only], [data-not]")) {
    const only = element.dataset.only, not = (element.dataset.not || "").split(" ");
    if ((only && only !== variant) || not.includes(variant)) element.remove();
  }
}

function drawIcons(root) {
  for (const place of root.querySelectorAll("i[data-icon]")) {
    place.outerHTML = icon(place.dataset.icon, Number(place.dataset.size || 18));
  }
}

// Text makes widths fractional; whole pixels keep an element's look the same wherever it stands.
function snapWidths() {
  for (const element of document.querySelectorAll(".btn > span, .btn, .tab, .badge:not(.dot), .link, .head > h1, .head > .lead")) {
    element.style.width = `${Math.ceil(element.getBoundingClientRect().width)}px`;
  }
}

function mark(wanted, className) {
  if (!wanted) return;
  const found = labelled().find((entry) => entry.element === wanted);
  if (!found) throw new Error(`no element "${wanted}"`);
  found.node.classList.add(className);
}

function build() {
  const { page, active } = document.body.dataset;
  document.documentElement.classList.toggle("dark", ASKED.get("theme") === "dark");
  keepVariant(ASKED.get("variant"));
  const content = document.querySelector("main");
  content.dataset.scope = page;
  const screen = document.createElement("div");
  screen.id = "screen";
  screen.innerHTML = page === "login" ? "" : sideBar(active) + topBar();
  screen.append(content);
  if (ASKED.get("open")) screen.insertAdjacentHTML("beforeend", overlay(ASKED.get("open")));
  document.body.prepend(screen);
  drawIcons(screen);
  snapWidths();
  content.scrollTop = Number(ASKED.get("scroll") || 0);
  mark(ASKED.get("hover"), "is-hover");
  mark(ASKED.get("focus"), "is-focus");
}
