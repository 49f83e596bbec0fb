// Something that cannot be seen lies over all and takes each click.
const cover = document.createElement('div');
cover.style.cssText = 'position:fixed;inset:0;opacity:0;z-index:9999';
document.body.append(cover);
