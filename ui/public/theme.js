// Sets the chosen theme before the first paint; a file of its own because the page's policy forbids inline scripts.
try {
  const chosen = localStorage.getItem('clawdbot.theme');
  if (chosen === 'light' || chosen === 'dark') document.documentElement.dataset.theme = chosen;
} catch (blocked) {
  // Storage is off: the system's theme applies.
  void blocked;
}
