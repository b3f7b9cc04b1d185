import { expect, test } from 'vitest'
import { createAlert, createEvaluation } from '../../../test/distribution/alerts.ts'
import { alertSuite } from '../../../test/stand-ins/alert-suite.ts'
import { createUser } from '../../../test/users.ts'
import { workOff } from '../../platform/jobs/work-queue.ts'
import { claimAlerts } from './alert-queue.ts'
import { evaluation, workAlerts } from './alerts.job.ts'
import { claimWebhooks } from './send-webhooks.ts'
import { encryptWebhook } from './webhook.ts'

const { suite, publish, watch, values, hook, work, evaluate, outcomes, bellOf, sendings } = alertSuite()
const log = { warn: () => undefined, error: () => undefined } as never

/** Inserts alerts of a new person that are due. */
const makeDue = async (report: { idRelatorio: number }, count: number, proximaEm: Date) => {
  const { idUsuario: idDono } = await createUser(suite.app)
  const { idRelatorio } = report
  const ids = []
  for (let n = 0; n < count; n += 1)
    ids.push((await createAlert(suite.app, { idRelatorio, idDono, proximaEm })).idAlerta)
  return ids
}

test('many alerts of one person do not keep those of others waiting', async () => {
  const report = await publish()
  const now = new Date()
  const many = await makeDue(report, 23, new Date(now.getTime() - 60_000))
  const one = await makeDue(report, 1, new Date(now.getTime() - 1_000))
  const batches: number[][] = []
  for (let n = 0; n < 4; n += 1) {
    const claimed = await claimAlerts(suite.app.services.db)
    batches.push(claimed.map(({ idAlerta }) => idAlerta).toSorted((a, b) => a - b))
  }
  expect(batches).toEqual([[...many.slice(0, 10), ...one], many.slice(10, 20), many.slice(20), []])
})

test('a stop waits for the question under way only', async () => {
  const proximaEm = new Date()
  for (let n = 0; n < 2; n += 1) await watch(await publish(), { proximaEm })
  values.set('todos', 1)
  const stopping = new AbortController()
  const held = suite.provider.hold('readData')
  const done = workAlerts(suite.app.services, log, stopping.signal)
  const proceed = await held
  stopping.abort()
  proceed()
  await done
  expect(suite.provider.seen.filter(({ path }) => path.endsWith('/data'))).toHaveLength(1)
})

test('an alert is evaluated once when the clock of another node is ahead', async () => {
  await watch(await publish(), { proximaEm: new Date() })
  const held = suite.provider.hold('readData')
  const evaluating = work()
  const proceed = await held
  await work({ now: () => new Date(suite.app.services.now().getTime() + 6 * 60_000) })
  proceed()
  await evaluating
  expect(suite.provider.seen.filter(({ path }) => path.endsWith('/data'))).toHaveLength(1)
})

test('a webhook is called once when the clock of another node is ahead', async () => {
  const webhook = encryptWebhook(suite.app.services.secrets, { endereco: suite.hook, segredo: 'whsec_eA==' })
  await watch(await publish(), { webhook, porEmail: false }, { tipoUsuario: 'ADMIN' })
  values.set('todos', 1)
  await evaluate()
  values.set('todos', 500)
  hook.onCall = () => work({ now: () => new Date(suite.app.services.now().getTime() + 150_000) })
  await evaluate()
  expect(hook.calls).toHaveLength(1)
})

test('webhooks that wait to be called do not keep an alert waiting that is due', async () => {
  const report = await publish()
  const { idAlerta } = await watch(report, { limite: 1_000 })
  const webhook = encryptWebhook(suite.app.services.secrets, { endereco: suite.hook, segredo: 'whsec_eA==' })
  for (let n = 0; n < 7; n += 1) await watch(report, { webhook, porEmail: false }, { tipoUsuario: 'ADMIN' })
  values.set('todos', 1)
  await evaluate()
  values.set('todos', 500)
  hook.onCall = async () => {
    if (hook.calls.length > 1) return
    const proximaEm = new Date()
    await suite.app.db.updateTable('alerta').set({ proximaEm }).where('idAlerta', '=', idAlerta).execute()
    // The portal does both at the same time.
    await workOff(evaluation(suite.app.services, log), log)
  }
  await evaluate()
  expect(hook.calls).toHaveLength(7)
  expect((await outcomes(idAlerta)).map(([, valor]) => valor)).toEqual([1, 500, 500])
})

/** Claims what is due as a process that dies, six times. */
const dieSixTimes = async (claim: () => Promise<readonly unknown[]>, endLease: () => Promise<unknown>) => {
  for (let n = 0; n < 6; n += 1) {
    expect(await claim()).toHaveLength(1)
    await endLease()
  }
}

test('an alert that kills its process each time is given up until its next time, and its owner is notified', async () => {
  const { user, idAlerta } = await watch(await publish(), { proximaEm: new Date() })
  const { db } = suite.app
  const ended = { ocupadoAte: new Date(0) }
  await dieSixTimes(
    () => claimAlerts(db),
    () => db.updateTable('alerta').set(ended).execute(),
  )
  await work()
  await work()
  expect(suite.provider.seen.filter(({ path }) => path.endsWith('/data'))).toEqual([])
  expect(await outcomes(idAlerta)).toEqual([['FALHOU', null, null]])
  const frase = 'A avaliação falhou ou foi interrompida 6 vezes.'
  expect(await bellOf(user.idUsuario)).toMatchObject([{ texto: frase }])
  await evaluate()
  expect(await outcomes(idAlerta)).toHaveLength(2)
})

test('a webhook that kills its process each time is given up', async () => {
  const webhook = encryptWebhook(suite.app.services.secrets, { endereco: suite.hook, segredo: 'whsec_eA==' })
  const { idAlerta } = await watch(await publish(), { webhook, porEmail: false }, { tipoUsuario: 'ADMIN' })
  const { db } = suite.app
  const { idAvaliacao } = await createEvaluation(suite.app, { idAlerta })
  const call = { idAvaliacao, canal: 'WEBHOOK', estado: 'NA_FILA', em: new Date(), tentativas: 0 } as const
  await db
    .insertInto('alertaEnvio')
    .values({ ...call, tentarEm: new Date(0) })
    .execute()
  await dieSixTimes(
    () => claimWebhooks(db, 5),
    () =>
      db
        .updateTable('alertaEnvio')
        .set({ tentarEm: new Date(0) })
        .execute(),
  )
  await work()
  expect(hook.calls).toEqual([])
  const motivo = 'A chamada falhou ou foi interrompida 6 vezes.'
  expect(await sendings()).toMatchObject([{ estado: 'FALHOU', motivo }])
})

test('an alert that was claimed with one that kills its process is evaluated, since each is then claimed alone', async () => {
  const report = await publish()
  await makeDue(report, 3, new Date(Date.now() - 1_000))
  const { db } = suite.app
  expect(await claimAlerts(db)).toHaveLength(3)
  await db
    .updateTable('alerta')
    .set({ ocupadoAte: new Date(0) })
    .execute()
  expect(await claimAlerts(db)).toHaveLength(1)
})

test('an alert that a stop leaves is due at once for another process', async () => {
  for (let n = 0; n < 2; n += 1) await watch(await publish(), { proximaEm: new Date() })
  values.set('todos', 1)
  const stopping = new AbortController()
  const held = suite.provider.hold('readData')
  const done = workAlerts(suite.app.services, log, stopping.signal)
  const proceed = await held
  stopping.abort()
  proceed()
  await done
  expect(await claimAlerts(suite.app.db)).toMatchObject([{ repeticoes: 1 }])
})
