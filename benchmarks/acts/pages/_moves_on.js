// The list slides up and down and never rests.
document.querySelector('table').animate([{transform: 'translateY(0)'}, {transform: 'translateY(120px)'}], {duration: 700, iterations: Infinity, direction: 'alternate'});
