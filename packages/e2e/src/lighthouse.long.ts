import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  type FormFactor,
  LIGHTHOUSE_VERSION,
  type LighthouseResult,
  lighthousePages,
  performanceOf,
  startLighthouse,
} from './services/lighthouse.ts'

let lighthouse: Awaited<ReturnType<typeof startLighthouse>>
beforeAll(async () => {
  lighthouse = await startLighthouse()
}, 300_000)
afterAll(() => lighthouse.stop())

/** Returns the titles of the audits of a category that are not fulfilled. */
const failedOf = ({ categories, audits }: LighthouseResult, category: string): string[] =>
  (categories[category]?.auditRefs ?? [])
    .filter(({ id, weight }) => weight > 0 && (audits[id]?.score ?? 1) < 1)
    .map(({ id }) => `${id}: ${audits[id]?.title}`)

/** Returns what has moved while the page was loading. */
const movedOf = ({ audits }: LighthouseResult): string[] =>
  (audits['layout-shifts']?.details?.items ?? []).map(
    ({ node, score }) => `${score.toFixed(3)} ${node?.selector} ${node?.snippet}`,
  )

const forms: FormFactor[] = ['desktop', 'mobile']

test.each(lighthousePages.flatMap((page) => forms.map((form) => [page, form] as const)))(
  '%s, %s has 100 for accessibility and best practices, and a layout shift of at most 0.02',
  async (page, form) => {
    const result = await lighthouse.audit(page, form)
    const shift = result.audits['cumulative-layout-shift']?.numericValue ?? Number.NaN
    const speed = performanceOf(result)
    console.log(
      `lighthouse ${LIGHTHOUSE_VERSION}, ${page}, ${form}: performance ${speed}, layout shift ${shift.toFixed(3)}`,
    )
    expect(failedOf(result, 'accessibility')).toEqual([])
    expect(failedOf(result, 'best-practices')).toEqual([])
    expect(shift, movedOf(result).join('\n')).toBeLessThanOrEqual(0.02)
  },
)
