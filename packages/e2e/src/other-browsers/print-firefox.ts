import { mkdtemp, readFile, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import type { Person } from '../people/people.ts'
import { launchFirefox } from './launch-browsers.ts'
import { openPuppeteerPage } from './puppeteer-page.ts'
import { dataOfReport, signIn, untilDrawn } from './visitor.ts'

/** Starts a Firefox that prints without a dialog, into one file. */
export const startFirefoxPrinter = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'firefox-prints-'))
  const file = join(folder, 'printed.pdf')
  const browser = await launchFirefox({
    'print.always_print_silent': true,
    print_printer: 'Mozilla Save to PDF',
    'print.printer_Mozilla_Save_to_PDF.print_to_file': true,
    'print.printer_Mozilla_Save_to_PDF.print_to_filename': file,
  })
  const printed = async (name: string): Promise<string> => {
    const path = join(folder, `${name}.pdf`)
    await untilComplete(file)
    await rename(file, path)
    return path
  }
  return {
    /** Prints a report with the viewer's 'Imprimir', and its page as the browser's menu does. */
    print: async (portal: string, person: Person, path: string, theme: 'light' | 'dark') => {
      const page = await openPuppeteerPage(browser)
      await page.resize({ width: 1440, height: 900 })
      await signIn(page, portal, person)
      await page.run((chosen) => localStorage.setItem('bi-manager.tema', chosen), theme)
      await page.goto(portal + path)
      await untilDrawn(page)
      const data = await dataOfReport(page)
      await page.run(() => window.print())
      const viewer = await printed(`viewer-${theme}-${basename(path)}`)
      await page.runInReport(recordTexts)
      await page.press('button', 'Imprimir')
      const report = await printed(`report-${theme}-${basename(path)}`)
      const texts = await page.runInReport(() => Reflect.get(globalThis, 'printedTexts') as string[])
      const { complaints } = page
      await page.close()
      return { report, viewer, data, texts, complaints }
    },
    close: async () => {
      await browser.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Runs in the report: keeps the texts that charts draw until the report has prepared the sheet. */
const recordTexts = () => {
  const texts: string[] = []
  Object.assign(globalThis, { printedTexts: texts })
  const { prototype } = CanvasRenderingContext2D
  const { fillText } = prototype
  prototype.fillText = function (this: CanvasRenderingContext2D, ...args) {
    texts.push(args[0])
    fillText.apply(this, args)
  }
  // The report's own listener is older, so it runs first.
  window.addEventListener('beforeprint', () => {
    prototype.fillText = fillText
  })
}

const untilComplete = async (file: string): Promise<void> => {
  for (let attempt = 0; attempt < 300; attempt += 1) {
    const bytes = await readFile(file).catch(() => undefined)
    if (bytes?.subarray(-16).toString('latin1').includes('%%EOF')) return
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error('Firefox printed nothing')
}
