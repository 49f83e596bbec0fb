// The list slides for four seconds, then it rests.
document.querySelector('table').animate([{transform: 'translateX(0)'}, {transform: 'translateX(260px)'}], {duration: 1000, iterations: 4, direction: 'alternate'});
