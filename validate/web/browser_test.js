// Looks at a report as a person would: what is drawn, what the filter and the
// mouse do, and whether anything leaves the file.
//
//   node browser_test.js BROWSER SMALL.html LARGE.html PICTURES_FOLDER
'use strict';
const assert = require('node:assert');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const {pathToFileURL} = require('node:url');
const {chromium} = require('playwright-core');

const [browserPath, small, large, pictures] = process.argv.slice(2);
const checks = [];
const check = (name, body) => checks.push([name, body]);

const marks = (page, plot) =>
    page.locator(`#${plot} .mark-symbol.role-mark path`).count();
const drawn = (page) => page.waitForSelector('body[data-plots=drawn]',
                                             {timeout: 60000, state: 'attached'});
// The filter waits for typing to pause, then the plots are drawn anew.
const filter = async (page, words) => {
  await page.evaluate(() => delete document.body.dataset.plots);
  await page.fill('#filter', words);
  await drawn(page);
};
const shot = (page, name, fullPage = true) =>
    page.screenshot({path: path.join(pictures, `${name}.png`), fullPage});

check('every plot is drawn with a mark for each figure', async (page) => {
  await drawn(page);
  // 24 cells; heat map: 6 x 4; four slots of six cells on two sides.
  assert.equal(await marks(page, 'scatter'), 24);
  assert.equal(await marks(page, 'blocks'), 24);
  assert.equal(await page.locator('#heat .mark-rect.role-mark path').count(), 24);
  assert.equal(await page.locator('#overlay .mark-line path').count(), 2);
  // One predicted overhead is not modelled.
  assert.equal(await marks(page, 'pareto'), 47);
  assert.equal(await marks(page, 'slots'), 48);
  await shot(page, 'light');
});

check('hovering over a point names its cell', async (page) => {
  await page.locator('#scatter').scrollIntoViewIfNeeded();
  const box = await page.locator('#scatter .mark-symbol.role-mark path').first()
                        .boundingBox();
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  const tip = page.locator('#vg-tooltip-element.visible');
  await tip.waitFor({timeout: 5000});
  const text = await tip.textContent();
  assert.match(text, /blocks=\d+ period=\d/);
  assert.match(text, /predicted/);
  await shot(page, 'hover', false);
  await page.mouse.move(0, 0);
});

check('the filter holds for table and plots', async (page) => {
  await filter(page, 'blocks=16 latency');
  const rows = page.locator('#cell-table tbody tr');
  assert.equal(await rows.count(), 4);
  assert.equal(await marks(page, 'scatter'), 4);
  await filter(page, 'blocks=288 period=8 latency');
  assert.equal(await rows.count(), 1);
  await filter(page, 'no such thing');
  assert.equal(await rows.count(), 0);
  assert.match(await page.locator('#scatter + .status').textContent(),
               /No cell that matches/);
  await filter(page, '');
});

check('the prediction can be changed to a baseline', async (page) => {
  assert.equal(await page.inputValue('#filter-source'), 'model');
  await page.evaluate(() => delete document.body.dataset.plots);
  await page.selectOption('#filter-source', '=planted_fair');
  await drawn(page);
  const sources = await page.locator('#cell-table tbody tr td:nth-child(3)')
                            .allTextContents();
  assert.ok(sources.length > 0 && sources.every((s) => s === 'planted_fair'));
  await page.evaluate(() => delete document.body.dataset.plots);
  await page.selectOption('#filter-source', 'model');
  await drawn(page);
});

check('p99 and another cell can be chosen', async (page) => {
  await page.evaluate(() => delete document.body.dataset.plots);
  await page.selectOption('#plot-quantile', 'p99');
  await drawn(page);
  assert.equal(await marks(page, 'scatter'), 24);
  const before = await page.locator('#overlay .mark-line path').first()
                           .getAttribute('d');
  await page.evaluate(() => delete document.body.dataset.plots);
  await page.selectOption('#plot-cell', '5');
  await drawn(page);
  assert.notEqual(await page.locator('#overlay .mark-line path').first()
                            .getAttribute('d'), before);
});

check('sorting and paging work from the keyboard', async (page) => {
  const header = page.locator('#cell-table th button', {hasText: 'blocks'});
  await header.focus();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Enter');
  const first = page.locator('#cell-table tbody tr').first();
  assert.equal(await first.locator('td').first().textContent(), '288');
  const next = page.locator('button', {hasText: 'Next'});
  await next.focus();
  await page.keyboard.press('Space');
  assert.match(await page.locator('#explorer .status').textContent(),
               /Rows 51 to/);
});

check('hostile names are text', async (page) => {
  assert.equal(await page.evaluate(() => window.hacked), undefined);
  assert.equal(await page.locator('main img').count(), 0);
  assert.ok((await page.locator('#inputs').textContent())
                .includes('m</script><script>window.hacked=1'));
});

check('dark and printed pages can be read', async (page) => {
  const colours = () => page.evaluate(() => {
    const style = getComputedStyle(document.body);
    return [style.color, style.backgroundColor];
  });
  const light = await colours();
  await page.emulateMedia({colorScheme: 'dark'});
  const dark = await colours();
  assert.notDeepEqual(light, dark);
  const label = await page.evaluate(() => getComputedStyle(
      document.querySelector('#scatter .role-axis-label text')).fill);
  assert.equal(label, dark[0]);
  await shot(page, 'dark');
  await page.emulateMedia({media: 'print', colorScheme: 'dark'});
  assert.equal((await colours())[1], 'rgb(255, 255, 255)');
  assert.ok(!await page.locator('nav').isVisible());
  await shot(page, 'print');
  await page.emulateMedia({media: 'screen', colorScheme: 'light'});
});

check('a narrow window scrolls tables, not the page', async (page) => {
  await page.setViewportSize({width: 390, height: 800});
  await page.waitForTimeout(300);
  const wide = await page.evaluate(
      () => document.documentElement.scrollWidth > window.innerWidth + 1);
  await shot(page, 'narrow', false);
  assert.equal(wide, false);
});

// Opens a page whose every word on the console and every request is kept.
const open = async (context, file, complaints) => {
  const page = await context.newPage();
  const url = pathToFileURL(file).href;
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') {
      complaints.push(`console: ${message.text()}`);
    }
  });
  page.on('pageerror', (error) => complaints.push(`error: ${error}`));
  page.on('request', (request) => {
    if (!request.url().startsWith(url) && !request.url().startsWith('data:')) {
      complaints.push(`request: ${request.url()}`);
    }
  });
  await page.goto(url);
  return page;
};

const main = async () => {
  const profile = fs.mkdtempSync(path.join(os.tmpdir(), 'tilebound-browser-'));
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: browserPath, headless: true,
    viewport: {width: 1280, height: 900}, colorScheme: 'light',
    args: ['--no-sandbox', '--disable-gpu', '--no-first-run',
           '--disable-background-networking', '--disable-component-update',
           '--disable-sync', '--disable-dev-shm-usage'],
  });
  let failed = 0;
  const complaints = [];
  const run = async (name, body) => {
    try {
      await body();
      console.log(`ok: ${name}`);
    } catch (error) {
      ++failed;
      console.log(`FAILED: ${name}\n${error.stack}`);
    }
  };
  const page = await open(context, small, complaints);
  for (const [name, body] of checks) await run(name, () => body(page));
  await run('100,000 cells open, page and say what they left out', async () => {
    const start = Date.now();
    const many = await open(context, large, complaints);
    await drawn(many);
    console.log(`  opened and drawn in ${Date.now() - start} ms`);
    assert.match(await many.locator('#explorer .status').textContent(),
                 /Rows 1 to 50 of \d+/);
    assert.match(await many.locator('#scatter + .status').textContent(),
                 /points drawn, one in \d+/);
    assert.ok(await marks(many, 'scatter') <= 3000);
    assert.equal(await many.inputValue('#filter-source'), 'model');
    await filter(many, 'blocks=151 period=7');
    assert.ok(await many.locator('#cell-table tbody tr').count() >= 1);
    await shot(many, 'large', false);
  });
  await run('nothing complained and nothing left the file', () => {
    assert.deepEqual(complaints, []);
  });
  await context.close();
  fs.rmSync(profile, {recursive: true, force: true});
  process.exitCode = failed === 0 ? 0 : 1;
};

main();
