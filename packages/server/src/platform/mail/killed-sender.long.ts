import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { copyEmbedded } from '../../../test/database/embedded-template.ts'
import { shortLived } from '../../../test/processes/killed-server.ts'
import { startSmtp } from '../../../test/stand-ins/smtp.ts'

/*
 * Kills the process of the mail queue on the embedded database while it queues and sends. For PostgreSQL with
 * three nodes, see scripts/nodes/killed-mails.long.ts. MAIL_KILLS is the number of kills.
 */

const kills = Number(process.env.MAIL_KILLS ?? 20)
const mailsARound = 30
/** Dialogues of one sender. */
const atOnce = 5
const program = join(import.meta.dirname, '../../../test/processes/mail-queue-process.ts')

let dataDir: string
let smtp: Awaited<ReturnType<typeof startSmtp>>
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'bi-manager-mails-'))
  await copyEmbedded(join(dataDir, 'database'))
  smtp = await startSmtp({
    onMailFrom: (_address, _session, done) => void setTimeout(done, 10 + Math.random() * 60),
  })
}, 120_000)
afterAll(async () => {
  await smtp.close()
  await rm(dataDir, { recursive: true, force: true })
})

const begin = (round: number, settings: Record<string, string>) => {
  const child = spawn(process.execPath, [...shortLived.flags, program], {
    env: {
      ...shortLived.env,
      DATA_DIR: dataDir,
      SMTP_URL: smtp.url,
      PUBLIC_URL: 'https://bi.exemplo.com.br',
      APP_SECRET: 'um segredo desta instalação de teste',
      ROUND: String(round),
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const queued: string[] = []
  createInterface(child.stdout).on('line', (line) => {
    if (line.startsWith('queued ')) queued.push(line.slice('queued '.length))
  })
  return { child, died: once(child, 'exit'), queued }
}

const timesOf = () =>
  Map.groupBy(
    smtp.received.map(({ to }) => to?.[0]?.address ?? ''),
    (address) => address,
  )

const sentTwice = () => [...timesOf().values()].filter(({ length }) => length > 1).length

test(`the mail queue loses no message through ${kills} × kill -9, and repeats only those in flight`, {
  timeout: 60_000 + kills * 30_000,
}, async () => {
  const acknowledged = new Set<string>()
  /** How many messages were sent twice when each process had ended. */
  const repeats = [0]
  for (let round = 0; round < kills; round += 1) {
    const before = smtp.received.length
    const { child, died, queued } = begin(round, { MAILS: String(mailsARound) })
    const enough = before + 3 + Math.floor(Math.random() * mailsARound)
    while (smtp.received.length < enough && child.exitCode === null) await sleep(5)
    await sleep(Math.random() * 60)
    child.kill('SIGKILL')
    expect(await died).toEqual([null, 'SIGKILL'])
    for (const address of queued) acknowledged.add(address)
    repeats.push(sentTwice())
  }
  expect(await begin(kills, { MAILS: '0', DRAIN: '1' }).died).toEqual([0, null])
  const times = timesOf()
  const lost = [...acknowledged].filter((address) => !times.has(address))
  repeats.push(sentTwice())
  // The process after a kill repeats what was in flight.
  const most = Math.max(...repeats.slice(1).map((count, index) => count - (repeats[index] ?? 0)))
  console.log(
    `kill -9 × ${kills}: ${acknowledged.size} acknowledged, ${lost.length} lost, ${sentTwice()} sent twice, at most ${most} after one kill`,
  )
  expect(acknowledged.size).toBeGreaterThan(kills * 3)
  expect(lost).toEqual([])
  expect(most).toBeLessThanOrEqual(atOnce)
})
