// Opens the page of services in chromium and prints what is wrong with it, as JSON: {check: [problem, ...]}.
//   node check_page.js CHROMIUM PICTURES PRIVATE_URL OPEN_URL TOKEN_URL TOKEN
'use strict';
const { chromium } = require('playwright-core');
const [executablePath, pictures, privateUrl, openUrl, tokenUrl, token] = process.argv.slice(2);

const problems = {};
const say = (check, problem) => (problems[check] ||= []).push(problem);
const want = (check, right, problem) => { if (!right) say(check, problem); };

const contrast = (a, b) => {
  const light = colour => colour.match(/[\d.]+/g).slice(0, 3)
    .map(c => c / 255).map(c => (c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4))
    .reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
  const [x, y] = [light(a), light(b)].sort((p, q) => q - p);
  return (x + 0.05) / (y + 0.05);
};

// Runs in the page: each visible text with its colour and what is behind it.
const coloursOf = () => [...document.querySelectorAll('h1,h2,p,label,button,.badge,.row span,.row b,a')]
  .filter(e => e.offsetParent && e.textContent.trim())
  .map(e => {
    let behind = e;
    while (behind && getComputedStyle(behind).backgroundColor === 'rgba(0, 0, 0, 0)') behind = behind.parentElement;
    return [e.textContent.slice(0, 30), getComputedStyle(e).color,
      behind ? getComputedStyle(behind).backgroundColor : 'rgb(255, 255, 255)'];
  });

// The page's policy forbids what waitForFunction() does.
const until = async (page, right, given) => {
  for (let i = 0; i < 300; i++) {
    if (await page.evaluate(right, given)) return;
    await page.waitForTimeout(50);
  }
  throw new Error(`never: ${right}`);
};

const open = async (browser, url, how) => {
  const page = await browser.newPage(how);
  page.on('pageerror', e => say('errors', `${url}: ${e.message}`));
  page.on('console', m => { if (m.type() === 'error' && !/40[0-9]/.test(m.text())) say('errors', `${url}: ${m.text()}`); });
  page.on('request', r => want('outside', r.url().startsWith(url), `${url} asks ${r.url()}`));
  await page.goto(url);
  return page;
};

(async () => {
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  for (const colorScheme of ['light', 'dark'])
    for (const viewport of [{ width: 360, height: 740 }, { width: 1200, height: 900 }]) {
      const where = `${colorScheme} ${viewport.width}`;
      const page = await open(browser, privateUrl, { colorScheme, viewport });
      await page.waitForSelector('#try:not([hidden])');
      want('promise', (await page.textContent('#badge')) === 'Private', `${where}: the badge`);
      want('promise', /eps_e = 4/.test(await page.textContent('#statement')), `${where}: the statement`);
      await page.fill('#node', '1');
      await page.press('#node', 'Enter');
      await page.waitForSelector('#near svg');
      want('answer', /Prediction: class \d/.test(await page.textContent('#answer')), `${where}: no label`);
      want('answer', (await page.$$('#answer .row')).length === 3, `${where}: not three probabilities`);
      for (const [text, front, back] of await page.evaluate(coloursOf))
        want('contrast', contrast(front, back) >= 4.5, `${where}: "${text}" ${front} on ${back}`);
      want('width', await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `${where}: wider than the screen`);
      for (const box of await page.$$eval('button,input', all => all.filter(e => e.offsetParent).map(e => e.getBoundingClientRect().height)))
        want('touch', box >= 44, `${where}: ${box} pixels are too few for a finger`);
      await page.screenshot({ path: `${pictures}/page-${colorScheme}-${viewport.width}.png`, fullPage: true });
      // A neighbour leads on.
      const name = await page.textContent('#near g.other title');
      await page.click('#near g.other circle');
      await until(page, n => document.getElementById('node').value === n, name);
      await page.waitForSelector('#near g.own');
      for (const wrong of ['-1', 'nobody', '99999999', '']) {
        await page.fill('#node', wrong);
        await page.click('#ask button');
        await until(page, () => document.getElementById('error').textContent);
        want('errors', !(await page.textContent('#answer')), `${where}: an answer about '${wrong}'`);
      }
      await page.close();
    }

  const exposed = await open(browser, openUrl, {});
  await exposed.waitForSelector('#try:not([hidden])');
  want('non-private', (await exposed.textContent('#badge')) === 'NOT PRIVATE', 'the badge does not say so');
  await exposed.click('#ask button');
  await until(exposed, () => document.getElementById('answer').textContent);
  want('non-private', !(await exposed.$('#near svg')), 'edges are shown');
  want('non-private', !(await exposed.textContent('#error')), 'an error');
  await exposed.selectOption('#model', 'second');
  await until(exposed, () => document.getElementById('title').textContent === 'second');

  const closed = await open(browser, tokenUrl, {});
  await closed.waitForSelector('#key:not([hidden])');
  await closed.fill('#token', token);
  await closed.press('#token', 'Enter');
  await closed.waitForSelector('#try:not([hidden])');
  await closed.click('#ask button');
  await closed.waitForSelector('#near h2');

  await browser.close();
  console.log(JSON.stringify(problems));
})().catch(e => { console.error(e); process.exit(1); });
