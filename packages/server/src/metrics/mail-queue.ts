import type { Reading } from '@bi-manager/telemetry/metrics'
import type { Services } from '../http/services.ts'

const length = 'bimanager_mail_queue_length'
const oldest = 'bimanager_mail_queue_oldest_seconds'

/** Messages that no mail server has taken yet. Every process reads the same queue. */
export const readMailQueue = ({ db, now }: Pick<Services, 'db' | 'now'>): Reading => ({
  source: 'mail_queue',
  gauges: [
    { name: length, help: 'E-mails that wait to be sent.' },
    { name: oldest, help: 'Age of the oldest e-mail that waits to be sent; 0 without one.' },
  ],
  read: async () => {
    const { waiting, since } = await db
      .selectFrom('mensagem')
      .select(({ fn }) => [fn.countAll<string>().as('waiting'), fn.min('criadaEm').as('since')])
      .executeTakeFirstOrThrow()
    const age = since ? (now().getTime() - new Date(since).getTime()) / 1000 : 0
    return { [length]: Number(waiting), [oldest]: Math.max(age, 0) }
  },
})
