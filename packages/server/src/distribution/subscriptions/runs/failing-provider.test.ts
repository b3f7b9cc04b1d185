import { describe, expect, test } from 'vitest'
import { subscriptionSuite } from '../../../../test/stand-ins/subscription-suite.ts'
import { claimFiles, claimRuns } from './run-queues.ts'

const { suite, start, workAndSend, work, onlyRun, mails, bellOf, pass, change, asked } = subscriptionSuite()
/** The end of a dead process's lease. */
const longAgo = new Date(0)

const withRows = { papeisRls: ['Regional'] }
const allowed = { anexosRestritos: true }

describe('a failing provider', () => {
  test('a failing provider is asked again after the time that it names, and for all files of the connection', async () => {
    await start({ report: withRows, people: 3, rules: allowed })
    suite.provider.answer('exportTo', () => ({ status: 429, headers: { 'retry-after': '120' } }))
    await work()
    const before = asked().length
    await pass(60_000)
    await work()
    expect([before, asked().length]).toEqual([1, 1])
    await pass(61_000)
    await work()
    expect(asked().length).toBe(2)
  })

  test('a failing provider works on two exports at once at most', async () => {
    await start({ report: withRows, people: 5, rules: allowed })
    suite.provider.answer('exportState', ({ path }) => ({
      body: { id: path.split('/').at(-1), status: 'Running' },
    }))
    for (let n = 0; n < 4; n += 1) {
      await work()
      await pass(2_500)
    }
    expect(asked()).toHaveLength(2)
  })

  test('a failing provider that does not answer about an export is asked again later, not for another export', async () => {
    await start()
    await work()
    suite.provider.answer('exportState', () => ({ status: 503 }))
    for (let n = 0; n < 20; n += 1) {
      await pass(60_000)
      await work()
    }
    expect(asked()).toHaveLength(1)
    expect(await onlyRun()).toMatchObject({ estado: 'EM_ANDAMENTO' })
    suite.provider.answer('exportState', ({ path }) => ({
      body: { id: path.split('/').at(-1), status: 'Succeeded' },
    }))
    await pass(60_000)
    await workAndSend()
    expect(asked()).toHaveLength(1)
    expect(await onlyRun()).toMatchObject({ estado: 'CONCLUIDA', frase: null })
  })

  test('a failing provider that does not answer about an export for 30 minutes is asked for another one', async () => {
    await start()
    await work()
    suite.provider.answer('exportState', () => ({ status: 503 }))
    for (let n = 0; n < 33; n += 1) {
      await pass(60_000)
      await work()
    }
    expect(asked()).toHaveLength(2)
  })

  test('a failing provider whose answer about an export is cut is asked again later, not for another export', async () => {
    await start()
    await work()
    suite.provider.answer('exportState', ({ path }) => ({
      cut: true,
      body: { id: path.split('/').at(-1), status: 'Running' },
    }))
    for (let n = 0; n < 7; n += 1) {
      await pass(60_000)
      await work()
    }
    expect(asked()).toHaveLength(1)
    suite.provider.answer('exportState', ({ path }) => ({
      body: { id: path.split('/').at(-1), status: 'Succeeded' },
    }))
    await pass(60_000)
    await workAndSend()
    expect(asked()).toHaveLength(1)
    expect(await onlyRun()).toMatchObject({ estado: 'CONCLUIDA', frase: null })
  })

  test('a failing provider is asked for one export when its id cannot be stored for a moment', async () => {
    await start()
    let isGone = false
    suite.provider.answer('exportTo', ({ body }) => {
      isGone = true
      setTimeout(() => {
        isGone = false
      }, 1_500)
      return { status: 202, body: { id: `${JSON.parse(body).format}-unica`, status: 'NotStarted' } }
    })
    const { db } = suite.app.services
    const broken = db.withPlugin({
      transformQuery: ({ node }) => {
        const touched = JSON.stringify(node)
        if (isGone && node.kind === 'UpdateQueryNode' && touched.includes('"name":"assinatura_arquivo"'))
          throw Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })
        return node
      },
      transformResult: async ({ result }) => result,
    }) as typeof db
    await work({ db: broken })
    await pass(60_000)
    await workAndSend()
    expect(asked()).toHaveLength(1)
    expect(await onlyRun()).toMatchObject({ estado: 'CONCLUIDA', frase: null })
  })

  test('a failing provider that is slow does not delay the other runs that are due in the same minute', async () => {
    for (let n = 0; n < 12; n += 1) await start()
    const delay = 1_000
    let [count, open, mostOpen] = [0, 0, 0]
    suite.provider.answer('refreshes', () => {
      count += 1
      open += 1
      mostOpen = Math.max(mostOpen, open)
      // Before the answer, so that calls one after the other never overlap.
      setTimeout(() => {
        open -= 1
      }, delay)
      return { delay, body: { value: [] } }
    })
    await work()
    expect(count).toBe(12)
    expect(mostOpen).toBeGreaterThan(1)
  })

  test('a failing provider that is slow is asked once when the clock of another node is ahead', async () => {
    await start()
    const held = suite.provider.hold('exportTo')
    const working = work()
    const proceed = await held
    await work({ now: () => new Date(suite.app.services.now().getTime() + 6 * 60_000) })
    proceed()
    await working
    expect(asked()).toHaveLength(1)
  })

  test('a failing provider that never ends a file fails the run after a day', async () => {
    const { idAssinatura } = await start()
    suite.provider.answer('exportTo', () => ({ status: 429, headers: { 'retry-after': '3600' } }))
    await work()
    // The next run stays out of the hours that follow.
    const proximaEm = new Date(suite.app.services.now().getTime() + 30 * 24 * 3_600_000)
    await change('assinatura', { proximaEm }, idAssinatura)
    for (let n = 0; n < 26; n += 1) {
      await work()
      await pass(3_600_000)
    }
    expect(await onlyRun()).toMatchObject({ estado: 'FALHOU', frase: expect.stringMatching(/24 horas/) })
  })

  test('a failing provider fails the run after five repetitions, and the owner is notified once', async () => {
    const { owner, idAssinatura } = await start()
    suite.provider.answer('exportTo', () => ({ status: 500 }))
    // The time that passes ends sessions.
    const shown = async () =>
      (await (await suite.app.as(owner)).get(`/assinaturas/${idAssinatura}/execucoes`)).body
    await work()
    expect(await shown()).toMatchObject([
      { estado: 'EM_ANDAMENTO', repeticoes: 1, frase: expect.stringMatching(/indisponível/) },
    ])
    for (let n = 0; n < 7; n += 1) {
      await pass(11 * 60_000)
      await work()
    }
    expect(asked()).toHaveLength(6)
    expect(await shown()).toMatchObject([{ estado: 'FALHOU', repeticoes: 5 }])
    expect(await onlyRun()).toMatchObject({ estado: 'FALHOU', frase: expect.stringMatching(/indisponível/) })
    expect(await bellOf(owner.idUsuario)).toHaveLength(1)
  })

  test('a failing provider and a dead process share the sentence of a run that was not prepared', async () => {
    await start()
    suite.provider.answer('refreshes', () => ({ status: 503 }))
    for (let n = 0; n < 5; n += 1) {
      await work()
      await pass(11 * 60_000)
    }
    expect(await claimRuns(suite.app.db, 1)).toHaveLength(1)
    await suite.app.db.updateTable('assinaturaExecucao').set({ ocupadaAte: longAgo }).execute()
    await work()
    const frase = 'O preparo do envio falhou ou foi interrompido 6 vezes.'
    expect(await onlyRun()).toMatchObject({ estado: 'FALHOU', repeticoes: 6, frase })
  })

  test('a failing provider and a dead process share the sentence of a file that was not made', async () => {
    await start()
    suite.provider.answer('exportTo', () => ({ status: 500 }))
    for (let n = 0; n < 5; n += 1) {
      await work()
      await pass(11 * 60_000)
    }
    expect(await claimFiles(suite.app.db)).toHaveLength(1)
    await suite.app.db.updateTable('assinaturaArquivo').set({ ocupadoAte: longAgo }).execute()
    await work()
    expect(await mails()).toMatchObject([
      { estado: 'FALHOU', motivo: 'A geração do arquivo falhou ou foi interrompida 6 vezes.' },
    ])
  })

  test('a failing provider that refuses the report fails the run at once', async () => {
    await start()
    suite.provider.answer('exportTo', () => ({
      status: 403,
      body: { error: { code: 'PowerBINotAuthorizedException' } },
    }))
    await workAndSend()
    expect(asked()).toHaveLength(1)
    expect(await onlyRun()).toMatchObject({ estado: 'FALHOU' })
  })
})
