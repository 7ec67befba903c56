// Opens reports in chromium and prints what is wrong with them, as JSON: {check: [problem, ...]}.
//   node check.js CHROMIUM REPORT...
'use strict';
const fs = require('fs');
const path = require('path');
const { chromium } = require('playwright-core');

const problems = {};
const say = (check, problem) => (problems[check] ||= []).push(problem);

const contrast = (a, b) => {
  const light = colour => colour.match(/[\d.]+/g).slice(0, 3)
    .map(c => c / 255).map(c => (c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4))
    .reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
  const [x, y] = [light(a), light(b)].sort((p, q) => q - p);
  return (x + 0.05) / (y + 0.05);
};

// Runs in the page: words that cover words or data, or leave their drawing.
const findOverlaps = () => {
  const found = [], slack = 0.75;
  const meet = (a, b) => a.left < b.right - slack && b.left < a.right - slack &&
    a.top < b.bottom - slack && b.top < a.bottom - slack;
  for (const svg of document.querySelectorAll('svg.chart')) {
    const frame = svg.getBoundingClientRect();
    if (!frame.width) continue;
    const id = svg.getAttribute('aria-labelledby').split(' ')[0];
    const words = [...svg.querySelectorAll('text')].map(e => ({ e, box: e.getBoundingClientRect() }));
    words.sort((a, b) => a.box.top - b.box.top);
    words.forEach((a, i) => {
      const name = `${id}: "${a.e.textContent}"`;
      if (a.box.left < frame.left - 1 || a.box.right > frame.right + 1 ||
          a.box.top < frame.top - 1 || a.box.bottom > frame.bottom + 1)
        found.push(`${name} leaves the drawing`);
      for (let k = i + 1; k < words.length && words[k].box.top < a.box.bottom; k++)
        if (meet(a.box, words[k].box)) found.push(`${name} covers "${words[k].e.textContent}"`);
    });
    // The value of a heat map's cell belongs inside it.
    for (const mark of svg.querySelectorAll('.m:not(.cell)')) {
      const box = mark.getBoundingClientRect();
      for (const word of words)
        if (meet(word.box, box)) found.push(`${id}: "${word.e.textContent}" covers data`);
    }
  }
  return found;
};

// Runs in the page: values of the table of p-values that one would have to look for, sideways.
const findCutCells = () => {
  const found = [];
  for (const region of document.querySelectorAll('.scroll:has(table.p)')) {
    if (region.tabIndex !== 0 || !region.getAttribute('aria-label')) found.push('keys do not reach it');
    if (region.scrollWidth > region.clientWidth) found.push(`${region.scrollWidth} pixels in ${region.clientWidth}`);
    const heads = getComputedStyle(region.querySelector('thead')).display !== 'none';
    const cell = region.querySelector('td[data-l]');
    if (!heads && !getComputedStyle(cell, '::before').content.includes(cell.dataset.l)) found.push('a value without a name');
    if (region.scrollHeight > region.clientHeight && !getComputedStyle(region).backgroundImage.includes('gradient'))
      found.push('no sign that there is more');
  }
  return found;
};

// Runs in the page: signs of a legend that differ in colour alone, and ids that are there twice.
const findLikeness = () => {
  const found = [], ids = {}, nColours = 7;
  const shapeOf = path => {
    const [start, ...steps] = path.getAttribute('d').match(/[A-Za-z][^A-Za-z]*/g);
    const [x0, y0] = start.slice(1).trim().split(' ').map(Number);
    return steps.map(step => step[0] === 'L'
      ? 'L' + step.slice(1).trim().split(' ').map((v, i) => Math.round(v - [x0, y0][i])) : step).join('');
  };
  for (const svg of document.querySelectorAll('svg.chart')) {
    const id = svg.getAttribute('aria-labelledby');
    const shapes = [...svg.querySelectorAll('g.dot:not(.m) path')].slice(0, nColours).map(shapeOf);
    if (new Set(shapes).size !== shapes.length) found.push(`${id}: shapes are alike`);
    // Lines: the first nColours differ in colour, dashes and mark, each of them; the rest in two of these.
    const lines = [...svg.querySelectorAll('path.line.key')], marks = [...svg.querySelectorAll('path.key:not(.line)')];
    const looks = lines.map((line, i) => [getComputedStyle(line).stroke, getComputedStyle(line).strokeDasharray,
      ...(marks.length ? [shapeOf(marks[i])] : [])]);
    looks.forEach((a, i) => looks.slice(i + 1).forEach((b, k) => {
      const same = a.filter((part, at) => part === b[at]).length;
      if (same > (looks.length > nColours ? 1 : 0)) found.push(`${id}: lines ${i} and ${i + 1 + k} are alike: ${a} ${b}`);
    }));
    // Baselines of a legend: dashes tell them apart, and a solid one is not free.
    const keys = [...svg.querySelectorAll('path.ref.key')].map(ref => ref.getAttribute('stroke-dasharray'));
    if (keys.length <= 9 && new Set(keys).size !== keys.length) found.push(`${id}: baselines are alike: ${keys}`);
  }
  for (const e of document.querySelectorAll('[id]')) {
    if (ids[e.id]) found.push(`two elements have the id ${e.id}`);
    ids[e.id] = true;
  }
  return found;
};

// Runs in the page: words of a legend that were cut although their row of the drawing has room.
const findCutWords = () => {
  const found = [];
  for (const svg of document.querySelectorAll('svg.chart')) {
    const frame = svg.getBoundingClientRect();
    if (!frame.width) continue;
    for (const word of svg.querySelectorAll('text')) {
      const box = word.getBoundingClientRect();
      if (word.textContent.endsWith('\u2026') && box.left < frame.left + frame.width * 0.55 && box.width < frame.width * 0.3)
        found.push(`${svg.getAttribute('aria-labelledby').split(' ')[0]}: "${word.textContent}" is cut`);
    }
  }
  return found;
};

const lineColours = () => {
  const seen = {};
  for (const line of document.querySelectorAll('svg.chart .line, svg.chart .ref'))
    seen[getComputedStyle(line).stroke] = true;
  return { lines: Object.keys(seen), paper: getComputedStyle(document.body).backgroundColor,
    ink: getComputedStyle(document.body).color };
};

async function checkNames(page, where) {
  const client = await page.context().newCDPSession(page);
  const { nodes } = await client.send('Accessibility.getFullAXTree');
  const charts = nodes.filter(n => !n.ignored && ['image', 'img'].includes(n.role?.value));
  const visible = await page.locator('svg.chart:visible, img:visible').count();
  if (charts.length !== visible) say('names', `${where}: ${charts.length} named of ${visible}`);
  for (const chart of charts) {
    if (!chart.name?.value) say('names', `${where}: a chart has no name`);
    const isPicture = (chart.name?.value || '').startsWith('Image sheet');
    if (!isPicture && !chart.description?.value) say('names', `${where}: ${chart.name.value}: no description`);
  }
}

async function checkHover(page, where) {
  for (const plot of await page.locator('.plot:visible').all()) {
    const title = await plot.getAttribute('aria-label');
    await plot.scrollIntoViewIfNeeded();
    const mark = plot.locator('.m').first();
    // A line may be taller than the window: its value stands at one place, which must be in view.
    const place = await mark.evaluate(e => {
      const at = () => {
        const m = e.ownerSVGElement.getScreenCTM();
        return { x: +e.dataset.x * m.a + m.e, y: +e.dataset.y * m.d + m.f };
      };
      scrollBy(0, at().y - innerHeight / 2);
      return at();
    });
    await page.mouse.move(place.x, place.y);
    const shown = await page.evaluate(() => {
      const tip = document.getElementById('tip'), box = tip.getBoundingClientRect();
      return { hidden: tip.hidden, text: tip.textContent,
        inside: box.left >= 0 && box.right <= innerWidth && box.top >= 0 && box.bottom <= innerHeight };
    });
    if (shown.hidden || !/\d/.test(shown.text)) say('hover', `${where}: ${title}: shows nothing`);
    else if (!shown.inside) say('hover', `${where}: ${title}: outside of the window`);
    await page.mouse.move(0, 0);
  }
  const plot = page.locator('.plot:visible').first();
  await plot.focus();
  await page.keyboard.press('ArrowRight');
  const first = await page.locator('#tip').textContent();
  await page.keyboard.press('ArrowRight');
  const second = await page.locator('#tip').textContent();
  const said = await page.locator('#said').textContent();
  if (!(await page.locator('#tip').isVisible()) || !/\d/.test(first) || first === second || said !== second)
    say('keyboard', `${where}: arrow keys read "${first}", "${second}", said "${said}"`);
  await page.keyboard.press('Escape');
  if (await page.locator('#tip').isVisible()) say('keyboard', `${where}: Escape does not hide the value`);
}

async function checkLinks(page, directory) {
  for (const link of await page.locator('a.file').all()) {
    const [name, href] = [await link.getAttribute('download'), await link.getAttribute('href')];
    const content = Buffer.from(href.split(';base64,')[1], 'base64');
    if (!content.equals(fs.readFileSync(path.join(directory, name))))
      say('links', `${name} is not the file beside the page`);
  }
}

// The page's policy forbids nearly everything; saving its data must still work.
async function checkDownload(page, directory) {
  const [download] = await Promise.all([page.waitForEvent('download'),
    page.locator('a.file').first().click()]);
  const name = download.suggestedFilename();
  const saved = fs.readFileSync(await download.path());
  if (!saved.equals(fs.readFileSync(path.join(directory, name)))) say('links', `${name} is saved as another`);
}

async function checkPrint(page, where) {
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
  const seen = await page.evaluate(() => ({
    paper: getComputedStyle(document.body).backgroundColor,
    nav: getComputedStyle(document.querySelector('nav')).display,
    narrow: [...document.querySelectorAll('.plot.narrow')].filter(e => e.offsetWidth).length }));
  if (seen.paper !== 'rgb(255, 255, 255)') say('print', `${where}: paper is ${seen.paper}`);
  if (seen.nav !== 'none' || seen.narrow) say('print', `${where}: prints what is for the screen`);
  const pdf = await page.pdf({ format: 'A4' });
  if (pdf.subarray(0, 5).toString() !== '%PDF-' || pdf.length < 10000) say('print', `${where}: no PDF`);
  await page.emulateMedia({ media: 'screen' });
}

async function checkPage(browser, directory, width, scheme) {
  const where = `${path.basename(directory)} ${width} ${scheme}`;
  const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme: scheme });
  const page = await context.newPage();
  page.on('console', message => say('console', `${where}: ${message.text()}`));
  page.on('pageerror', error => say('console', `${where}: ${error.message}`));
  page.on('request', request => {
    if (!/^(file|data):/.test(request.url())) say('network', `${where}: ${request.url()}`);
  });
  await page.goto('file://' + path.join(directory, 'index.html'));
  if (await page.locator('svg.chart:visible').count() === 0) say('names', `${where}: no chart`);
  for (const found of await page.evaluate(findOverlaps)) say('overlap', `${where}: ${found}`);
  for (const found of await page.evaluate(findLikeness)) say('alike', `${where}: ${found}`);
  for (const found of await page.evaluate(findCutWords)) say('cut', `${where}: ${found}`);
  const room = await page.evaluate(() => [document.scrollingElement.scrollWidth, innerWidth]);
  if (room[0] > room[1]) say('narrow', `${where}: ${room[0]} pixels wide in a window of ${room[1]}`);
  const smallest = await page.evaluate(() => Math.min(...[...document.querySelectorAll('svg.chart')]
    .filter(e => e.getBoundingClientRect().width).map(e => 12 * e.getScreenCTM().a)));
  if (smallest < 10) say('narrow', `${where}: words of ${smallest} pixels`);
  for (const found of await page.evaluate(findCutCells)) say('tables', `${where}: ${found}`);
  const colours = await page.evaluate(lineColours);
  if (contrast(colours.ink, colours.paper) < 7) say('colours', `${where}: faint words`);
  if ((contrast(colours.paper, 'rgb(0,0,0)') < 3) !== (scheme === 'dark'))
    say('colours', `${where}: paper is ${colours.paper}`);
  for (const line of colours.lines)
    if (contrast(line, colours.paper) < 3) say('colours', `${where}: a line of ${line} is faint`);
  await checkNames(page, where);
  await checkHover(page, where);
  if (width > 640 && scheme === 'light') {
    await checkLinks(page, directory);
    await checkDownload(page, directory);
    await checkPrint(page, where);
  }
  await context.close();
}

async function checkWithoutScript(browser, directory) {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto('file://' + path.join(directory, 'index.html'));
  if (await page.locator('svg.chart .m > title').count() === 0)
    say('script', `${path.basename(directory)}: no values without a script`);
  await context.close();
}

async function checkFiles(browser, directory) {
  const context = await browser.newContext({ viewport: { width: 1000, height: 900 } });
  const page = await context.newPage();
  for (const name of fs.readdirSync(directory).filter(n => n.endsWith('.svg'))) {
    const ink = {};
    for (const colorScheme of ['light', 'dark']) {
      await page.emulateMedia({ colorScheme });
      await page.goto('file://' + path.join(directory, name));
      ink[colorScheme] = await page.evaluate(() =>
        getComputedStyle(document.querySelector('text.head')).fill);
      if (colorScheme === 'light')
        for (const found of await page.evaluate(findOverlaps)) say('overlap', `${name}: ${found}`);
    }
    if (ink.light === ink.dark) say('files', `${name}: has the same ink in light and dark`);
  }
  await context.close();
}

(async () => {
  const [executablePath, ...reports] = process.argv.slice(2);
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  for (const directory of reports) {
    for (const [width, scheme] of [[1280, 'light'], [400, 'dark']])
      await checkPage(browser, directory, width, scheme);
    await checkFiles(browser, directory);
  }
  await checkPage(browser, reports[0], 1280, 'dark');
  await checkPage(browser, reports[0], 320, 'light');
  await checkWithoutScript(browser, reports[0]);
  await browser.close();
  console.log(JSON.stringify(problems, null, 1));
})();
