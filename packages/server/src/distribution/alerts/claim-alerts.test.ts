import { expect, test } from 'vitest'
import { createAlert } from '../../../test/distribution/alerts.ts'
import { alertSuite } from '../../../test/stand-ins/alert-suite.ts'
import { createUser } from '../../../test/users.ts'
import { workOff } from '../../platform/jobs/work-queue.ts'
import { evaluation, workAlerts } from './alerts.job.ts'
import { claimAlerts } from './claim-alerts.ts'
import { encryptWebhook } from './webhook.ts'

const { suite, publish, watch, values, hook, work, evaluate, outcomes } = alertSuite()
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
