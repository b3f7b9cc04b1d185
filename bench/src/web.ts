import {
  LIGHTHOUSE_VERSION,
  lighthousePages,
  performanceOf,
  startLighthouse,
} from '../../packages/e2e/src/services/lighthouse.ts'
import { median, tableLine } from './figures.ts'

const ROUNDS = 3

/** Prints Lighthouse's performance on a simulated phone, of the built pages. */
export const benchWeb = async (): Promise<void> => {
  const lighthouse = await startLighthouse()
  try {
    console.log(`\nLighthouse ${LIGHTHOUSE_VERSION}, phone, performance of 100; ${ROUNDS} rounds in turns.`)
    const scores = new Map<string, number[]>()
    for (let round = 0; round < ROUNDS; round += 1)
      for (const page of lighthousePages) {
        const score = performanceOf(await lighthouse.audit(page, 'mobile'))
        scores.set(page, [...(scores.get(page) ?? []), score])
      }
    console.log(line('page', 'median', 'all'))
    for (const [page, all] of scores) console.log(line(page, median(all), all.join(' ')))
  } finally {
    await lighthouse.stop()
  }
}

const line = tableLine(24, 12)
