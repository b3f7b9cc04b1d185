import { copyFile, mkdir } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { reportsOf, signedInClient } from '../people/api.ts'
import { type Person, people } from '../people/people.ts'
import { type Demo, startDemo } from '../services/demo.ts'
import { faultsOfPdf } from './printed-pdf.ts'

/** Each with a donut. */
const reports = [
  { name: 'Sinistralidade', charts: 5, donut: 'por_tipo' },
  { name: 'Prestadores', charts: 3, donut: 'por_uf' },
]
const themes = ['light', 'dark'] as const

interface Printed {
  /** The file that the viewer's 'Imprimir' prints. */
  report: string
  /** The file that the browser's own menu prints. */
  viewer?: string
  /** The data of each visual: rows of texts. */
  data?: Record<string, string[][]>
  /** The texts that the charts drew for the sheet. */
  texts?: string[]
  complaints?: string[]
}

interface Printer {
  print: (portal: string, person: Person, path: string, theme: (typeof themes)[number]) => Promise<Printed>
  close: () => Promise<void>
}

/** Prints two reports in both themes. PICTURES=folder keeps the files. */
export const describePrinting = (
  title: string,
  { canPrint, name, start }: { canPrint: boolean; name: string; start: () => Promise<Printer> },
): void => {
  describe.skipIf(!canPrint)(title, () => {
    let demo: Demo
    let printer: Printer | undefined
    const paths = new Map<string, string>()
    beforeAll(async () => {
      demo = await startDemo()
      printer = await start()
      const { menu } = await signedInClient(demo.portal, people.admin)
      for (const report of reportsOf(await menu())) paths.set(report.name, report.path)
    })
    afterAll(async () => {
      await printer?.close()
      await demo?.stop()
    })

    const cases = reports.flatMap((report) => themes.map((theme) => ({ ...report, theme })))
    const prints = 'prints $name from the $theme portal with all charts, without captions and black areas'
    test.each(cases)(prints, async ({ name: report, charts, donut, theme }) => {
      if (!printer) return expect.fail('there is no printer')
      const printed = await printer.print(demo.portal, people.admin, paths.get(report) ?? '', theme)
      const faults: string[] = legendFaults(printed, donut)
      for (const [what, pdf] of Object.entries({ report: printed.report, viewer: printed.viewer })) {
        if (!pdf) continue
        if (process.env.PICTURES) await keep(pdf, `${report}-${theme}-${what}-${name}.pdf`)
        faults.push(...(await faultsOfPdf(pdf, charts)).map((fault) => `${what}: ${fault}`))
      }
      expect([...faults, ...(printed.complaints ?? [])]).toEqual([])
    })
  })
}

/** Returns the values of a donut that its printed legend lacks, and the legend's pages, as 1/2. */
const legendFaults = ({ data, texts }: Printed, donut: string): string[] => {
  if (!data || !texts) return []
  const values = (data[donut] ?? []).map(([value = '']) => value)
  if (values.length < 4) return [`the donut has ${values.length} values`]
  return [
    ...values.filter((value) => !texts.includes(value)).map((value) => `the legend has no ${value}`),
    ...texts.filter((text) => /^\d+\/\d+$/.test(text)).map((page) => `the legend has the page ${page}`),
  ]
}

const keep = async (pdf: string, name: string): Promise<void> => {
  const folder = process.env.PICTURES ?? ''
  await mkdir(folder, { recursive: true })
  await copyFile(pdf, join(folder, basename(name)))
}
