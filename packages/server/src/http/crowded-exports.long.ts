import { describe, expect, test } from 'vitest'
import { AUDIT_ROWS, callTogether, startCrowdedServer } from '../../test/crowded-exports.ts'

const AT_ONCE = 12

describe.each(['embedded', 'postgres'])('twelve exports at the same time (%s)', (kind) => {
  test('are all answered, and the other calls stay quick', async () => {
    const { TEST_DATABASE } = process.env
    process.env.TEST_DATABASE = kind
    const crowd = await startCrowdedServer().finally(() => {
      process.env.TEST_DATABASE = TEST_DATABASE
    })
    try {
      const pdf = `/protecao-de-dados/beneficiarios/${crowd.beneficiary}/exportacao.pdf`
      for (const url of ['/auditoria.csv', pdf]) {
        const alone = await callTogether(crowd, [url])
        const together = await callTogether(crowd, Array(AT_ONCE).fill(url))
        const told = ({ answers, ...figures }: typeof alone) =>
          JSON.stringify({ ...figures, bytes: answers[0]?.bytes })
        console.log(`${kind} ${url}\n  1:  ${told(alone)}\n  ${AT_ONCE}: ${told(together)}`)
        expect(new Set(together.answers.map(({ status }) => status))).toEqual(new Set([200]))
        // Equal exports of the trail are made once; a PDF parses no font once its thread has one.
        const most = url === pdf ? AT_ONCE : 4
        expect(together.cpuMs).toBeLessThan(most * alone.cpuMs)
        expect(together.beside.p95).toBeLessThan(1_000)
        if (url === pdf) continue
        // Every line has some 200 bytes.
        for (const { bytes } of together.answers) expect(bytes).toBeGreaterThan(AUDIT_ROWS * 150)
      }
    } finally {
      await crowd.close()
    }
  })
})
