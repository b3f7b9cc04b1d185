import { rmSync, writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import {
  address,
  dataScheduleSuite,
  fromFolder,
  hour,
  minute,
  silent,
} from '../../test/stand-ins/data-schedule-suite.ts'
import { draftId, reportId } from '../../test/stand-ins/provider-stand-in.ts'
import { timeText } from '../platform/lib/local-time.ts'
import { runDueSchedules } from './data-schedules.job.ts'
import { leaseMsOf } from './run-schedule.ts'
import { claimDueRun, findSchedule, forgettingLastFile } from './schedules.repository.ts'

/* What ends, repeats and excludes the runs of schedules. */

const { suite, signedIn, file, begin, pass, look, last, sent, notified } = dataScheduleSuite()

const day = 24 * hour
/** Saves a daily schedule for the present minute, and lets time pass until its first run, tomorrow. */
const beginDaily = async () => {
  const horario = timeText(new Date())
  const { saved } = await begin({ frequencia: 'DIA', horario })
  await pass(Date.parse(saved.agenda.proximaEm) - Date.now() + minute)
}
const schedule = async () => {
  const row = await findSchedule(suite.app.db, reportId)
  return row ?? expect.fail()
}
const next = async () => (await signedIn.admin.get(address)).body.agenda.proximaEm
/** Longer than a run may take. */
const lease = 20 * minute
const minutesUntilNext = async () => Math.round((Date.parse(await next()) - Date.now()) / minute)
const busy = () => ({ status: 409, body: { error: { code: 'PublicationBusy', message: 'x' } } })
const works = () => ({ body: { faults: [], remarks: [], rows: 2 } })

/** Claims the due run as a process that then dies. */
const die = async () => {
  expect(await claimDueRun(suite.app.db, leaseMsOf(suite.app.services))).toHaveLength(1)
}

describe('a daily run', () => {
  test.each([
    ['a publication is in progress', busy],
    ['the service does not work', () => ({ status: 500, body: '' })],
  ])('a daily run is repeated after 5 minutes when %s, without a notification', async (_name, answer) => {
    await beginDaily()
    suite.provider.answer('replaceData', answer)
    await look(0)
    expect(await last()).toMatchObject({
      resultado: 'FALHOU',
      frase: expect.stringMatching(/ O portal tenta de novo às \d\d:\d\d\.$/),
    })
    await look(4 * minute)
    expect(sent('/data')).toHaveLength(1)
    suite.provider.answer('replaceData', works)
    await look(minute)
    expect(await last()).toMatchObject({ resultado: 'SUBSTITUIDO' })
    expect(await notified()).toEqual([])
    expect(await minutesUntilNext()).toBeGreaterThan(23 * 60)
  })

  test('a daily run is repeated three times at most, and then notified once until it changes', async () => {
    await beginDaily()
    suite.provider.answer('replaceData', busy)
    for (const ms of [0, 5, 5, 5, 5, 5]) await look(ms * minute)
    expect(sent('/data')).toHaveLength(4)
    expect((await last()).frase).toMatch(/tente de novo\.$/)
    expect(await minutesUntilNext()).toBeGreaterThan(23 * 60)
    expect(await notified()).toHaveLength(1)
    await suite.app.db.updateTable('notificacao').set({ lidaEm: new Date() }).execute()
    await look(day)
    for (const ms of [5, 5, 5]) await look(ms * minute)
    expect(sent('/data')).toHaveLength(8)
    expect(await notified()).toHaveLength(1)
    rmSync(file)
    await look(day)
    const unread = (await notified()).filter(({ lidaEm }) => lidaEm === null)
    expect(unread).toMatchObject([{ texto: expect.stringMatching(/^O arquivo não existe/) }])
  })

  test('a daily run is not repeated when the file itself is refused', async () => {
    await beginDaily()
    rmSync(file)
    await look(0)
    expect(await minutesUntilNext()).toBeGreaterThan(23 * 60)
    expect(await notified()).toHaveLength(1)
  })

  test('a daily run whose process died is taken by another one after the lease', async () => {
    await beginDaily()
    await die()
    await look(minute)
    expect(sent('/data')).toEqual([])
    await look(lease)
    expect(await last()).toMatchObject({ resultado: 'SUBSTITUIDO' })
    expect(sent('/data')).toHaveLength(1)
  })

  test('a daily run is not repeated by a node whose clock is ahead', async () => {
    await beginDaily()
    const begun = suite.provider.hold('replaceData')
    const running = runDueSchedules(suite.app.services, silent)
    const finish = await begun
    const now = () => new Date(Date.now() + lease)
    await runDueSchedules({ ...suite.app.services, now }, silent)
    finish()
    await running
    expect(sent('/data')).toHaveLength(1)
  })

  test('a daily run that kills its process each time is given up, and notified', async () => {
    await beginDaily()
    for (let count = 0; count < 4; count += 1) {
      await die()
      await pass(lease)
    }
    await look(0)
    const frase = 'A troca falhou ou foi interrompida 4 vezes seguidas.'
    expect(await last()).toMatchObject({ resultado: 'FALHOU', frase })
    expect(sent('/drafts')).toEqual([])
    expect(await notified()).toHaveLength(1)
    expect(await minutesUntilNext()).toBeGreaterThan(22 * 60)
  })

  test('a daily run stores nothing when another process took it during the run', async () => {
    await beginDaily()
    const begun = suite.provider.hold('replaceData')
    const late = runDueSchedules(suite.app.services, silent)
    const finish = await begun
    await pass(lease)
    await die()
    finish()
    await late
    expect(await last()).toBeNull()
    expect((await schedule()).ocupadaAte).not.toBeNull()
  })

  test.each<[string, () => Promise<unknown>]>([
    ['is paused', () => signedIn.admin.put(address, { ...fromFolder, ativa: false })],
    [
      'gets another file',
      () => {
        writeFileSync(file.replace('abril', 'maio'), 'Valor\n2\n')
        return signedIn.admin.put(address, { ...fromFolder, endereco: 'vendas/maio.csv' })
      },
    ],
    ['is removed', () => signedIn.admin.del(address)],
  ])('a daily run replaces nothing when the schedule %s while its file is read', async (_, change) => {
    await beginDaily()
    const begun = suite.provider.hold('sendDraft')
    const late = runDueSchedules(suite.app.services, silent)
    const finish = await begun
    await change()
    finish()
    await late
    expect([sent('/data'), await notified()]).toEqual([[], []])
  })

  test('an ordered run answers that nothing was replaced when its schedule changes while its file is read', async () => {
    await begin()
    const begun = suite.provider.hold('sendDraft')
    const ordered = signedIn.admin.post(`${address}/execucao`)
    const finish = await begun
    await signedIn.admin.put(address, { ...fromFolder, ativa: false })
    finish()
    const { status, body } = await ordered
    expect([status, body.detail, sent('/data')]).toEqual([409, expect.stringMatching(/nada foi trocado/), []])
  })

  test('a daily run that outlasts its lease while its file is read replaces nothing, and begins again', async () => {
    await beginDaily()
    const begun = suite.provider.hold('sendDraft')
    const late = runDueSchedules(suite.app.services, silent)
    const finish = await begun
    await pass(lease)
    finish()
    await late
    expect([sent('/drafts').length, sent('/data').length]).toEqual([2, 1])
  })
})

describe('a published file', () => {
  /** Returns the database, whose statements fail in this way while `isBroken` says so. */
  const brokenDatabase = (isMeant: (statement: string) => boolean, isBroken = () => true) => {
    const { db } = suite.app.services
    return db.withPlugin({
      transformQuery: ({ node }) => {
        if (isBroken() && isMeant(JSON.stringify(node)))
          throw Object.assign(new Error('canceling statement due to lock timeout'), { code: '55P03' })
        return node
      },
      transformResult: async ({ result }) => result,
    }) as typeof db
  }
  const ends = () =>
    suite.app.db
      .selectFrom('auditoria')
      .select(({ ref }) => ref('detalhes').as('detalhes'))
      .where('acao', '=', 'publication.ended')
      .execute()
  const expected = async () => {
    const rows = await suite.app.db
      .selectFrom('leituraAtualizacoes')
      .select(['idConjunto', 'lidaEm'])
      .execute()
    return rows.filter(({ lidaEm }) => lidaEm?.getTime() === 0).map(({ idConjunto }) => idConjunto)
  }
  const haveRead = (idPowerBi: number, ...ids: string[]) =>
    suite.app.db
      .insertInto('leituraAtualizacoes')
      .values(ids.map((idConjunto) => ({ idPowerBi, idConjunto, lidaEm: new Date(), falhasAte: new Date() })))
      .execute()

  test('a published file is not published again when nothing can wait for its refresh', async () => {
    await beginDaily()
    const problems: unknown[] = []
    const log = { error: (...about: unknown[]) => void problems.push(about) } as typeof silent
    const isMeant = (statement: string) => /UpdateQueryNode.*leitura_atualizacoes/.test(statement)
    await runDueSchedules({ ...suite.app.services, db: brokenDatabase(isMeant) }, log)
    expect(await last()).toMatchObject({ resultado: 'SUBSTITUIDO' })
    expect(problems).toMatchObject([[{ err: { code: '55P03' } }, expect.any(String)]])
    expect(await ends()).toMatchObject([{ detalhes: { resultado: 'PUBLICADA' } }])
    await look(5 * minute)
    expect(sent('/data')).toHaveLength(1)
  })

  test('a published file is not published again while the trail cannot be written for a moment', async () => {
    await beginDaily()
    let isBroken = false
    suite.provider.answer('replaceData', () => {
      isBroken = true
      setTimeout(() => {
        isBroken = false
      }, 1_500)
      return works()
    })
    const isMeant = (statement: string) => statement.includes('insert into auditoria')
    const db = brokenDatabase(isMeant, () => isBroken)
    await runDueSchedules({ ...suite.app.services, db }, silent)
    expect(await last()).toMatchObject({ resultado: 'SUBSTITUIDO' })
    expect(await ends()).toMatchObject([{ detalhes: { resultado: 'PUBLICADA' } }])
    await look(5 * minute)
    expect(sent('/data')).toHaveLength(1)
  })

  test('a published file of a person keeps its outcome while the schedules are locked for a moment', async () => {
    await beginDaily()
    let isBroken = false
    const isMeant = (statement: string) => /UpdateQueryNode.*agenda_dados/.test(statement)
    const db = brokenDatabase(isMeant, () => isBroken)
    const replaced = await forgettingLastFile(db, [reportId], async () => {
      isBroken = true
      setTimeout(() => {
        isBroken = false
      }, 700)
      return 'replaced'
    })
    expect([replaced, isBroken]).toEqual(['replaced', false])
  })

  test.each([
    ['is not answered', { drop: true }],
    ['is answered by half', { cut: true, ...works() }],
    ['is answered by an error', { status: 500, body: '' }],
  ])('a publication that %s makes the datasets be read', async (_, answer) => {
    const { idPowerBi } = await begin()
    await haveRead(idPowerBi, 'um', 'outro')
    suite.provider.answer('replaceData', () => answer)
    await look()
    expect((await expected()).sort()).toEqual(['outro', 'um'])
    await suite.app.db.updateTable('leituraAtualizacoes').set({ lidaEm: new Date() }).execute()
    const reports = `/publicacoes/relatorios/${reportId}/dados`
    await signedIn.admin.post(reports, { rascunho: draftId, tabela: 'Custos' })
    expect((await expected()).sort()).toEqual(['outro', 'um'])
  })

  test('a published file that the service refuses makes no dataset be read', async () => {
    const { idPowerBi } = await begin()
    await haveRead(idPowerBi, 'um')
    suite.provider.answer('replaceData', busy)
    await look()
    expect(await expected()).toEqual([])
  })
})

describe('a run that a user orders', () => {
  test('a run that a user orders is refused while another one is in progress', async () => {
    await begin()
    // The scheduled run is due as well.
    await pass(hour)
    const begun = suite.provider.hold('replaceData')
    const first = signedIn.admin.post(`${address}/execucao`)
    const finish = await begun
    const second = await signedIn.admin.post(`${address}/execucao`)
    expect([second.status, second.body.codigo]).toEqual([409, 'troca_em_andamento'])
    await look(0)
    finish()
    expect((await first).body.agenda.ultima).toMatchObject({ resultado: 'SUBSTITUIDO' })
    expect(sent('/drafts')).toHaveLength(1)
    expect((await signedIn.admin.post(`${address}/execucao`)).status).toBe(200)
  })

  test('a run that a user orders is refused during a scheduled one, and audited only when it runs', async () => {
    await begin()
    const begun = suite.provider.hold('replaceData')
    const scheduled = look()
    const finish = await begun
    expect((await signedIn.admin.post(`${address}/execucao`)).status).toBe(409)
    finish()
    await scheduled
    const lines = await suite.app.db
      .selectFrom('auditoria')
      .select('acao')
      .where('acao', '=', 'publication.schedule-run')
      .execute()
    expect(lines).toEqual([])
  })

  test('a run that a user orders that fails leaves the next run as it was; one that succeeds ends a repetition', async () => {
    await beginDaily()
    suite.provider.answer('replaceData', busy)
    await look(0)
    const before = await next()
    await signedIn.admin.post(`${address}/execucao`)
    expect(await next()).toBe(before)
    suite.provider.answer('replaceData', works)
    await signedIn.admin.post(`${address}/execucao`)
    expect(await minutesUntilNext()).toBeGreaterThan(23 * 60)
  })
})

describe('the notification of a failure', () => {
  test.each([
    ['removed', () => signedIn.admin.del(address)],
    ['saved', () => signedIn.admin.put(address, fromFolder)],
  ])('the notification of a failure is resolved when the schedule is %s', async (_name, change) => {
    await begin()
    rmSync(file)
    await look()
    expect(await notified()).toMatchObject([{ lidaEm: null, assunto: `agenda-dados:${reportId}` }])
    expect((await change()).status).toBeLessThan(300)
    expect(await notified()).toMatchObject([{ lidaEm: expect.any(Date) }])
  })

  test('the notification of a failure is repeated when the saved schedule fails in the same way', async () => {
    await begin()
    rmSync(file)
    await look()
    await signedIn.admin.put(address, fromFolder)
    await look()
    expect((await notified()).map(({ lidaEm }) => lidaEm === null)).toEqual([false, true])
  })
})

test('an address that the keys do not open shows no schedule, and its run says so', async () => {
  await begin()
  await suite.app.db
    .updateTable('agendaDados')
    .set({ endereco: 'v1.perdida.AAAA.AAAA.AAAA' as never })
    .execute()
  const answer = await signedIn.admin.get(address)
  expect([answer.status, answer.body]).toEqual([200, { temPasta: true, agenda: null }])
  await look()
  expect((await schedule()).frase).toMatch(/^O endereço gravado não abre com as chaves do portal/)
  writeFileSync(file, 'Valor\n3\n')
  await signedIn.admin.put(address, fromFolder)
  await look()
  expect(await last()).toMatchObject({ resultado: 'SUBSTITUIDO' })
})
