import type { SystemStatus } from '@bi-manager/contract'
import type { Services } from '../../platform/http/services.ts'
import { readInstallation } from '../../platform/installation/test-environment.ts'
import { countText } from '../../platform/lib/count-text.ts'
import { failureSentence } from '../../platform/mail/mail-failure.ts'
import { type Item, spanText } from './item.ts'
import { countMails, countUndelivered, findMailServer, listMailFailures } from './system-status.repository.ts'

const hour = 3_600_000
const day = 24 * hour

/** A mail server that restarts is unavailable for minutes. */
export const mailFailsAfter = hour

export const mailItem = async ({
  config,
  db,
  now,
}: Pick<Services, 'config' | 'db' | 'now'>): Promise<SystemStatus['email']> => {
  const [{ ensaio }, queue, server, failures, undelivered] = await Promise.all([
    readInstallation(db),
    countMails(db),
    findMailServer(db),
    listMailFailures(db),
    countUndelivered(db, new Date(now().getTime() - day)),
  ])
  const { smtpUrl, outbox } = config.mail
  return {
    ...(ensaio ? heldMails : evaluate({ queue, server, undelivered, isFolder: !smtpUrl, now: now() })),
    modo: smtpUrl ? 'smtp' : 'pasta',
    destino: smtpUrl ? new URL(smtpUrl).host : outbox,
    aguardando: queue.aguardando,
    maisAntigaEm: queue.maisAntigaEm?.toISOString() ?? null,
    ultimaEntregaEm: server?.entregueEm?.toISOString() ?? null,
    falhandoDesde: server?.falhandoDesde?.toISOString() ?? null,
    falhas: failures.map(({ em, motivo, ...failure }) => ({
      ...failure,
      em: em.toISOString(),
      frase: failureSentence({ motivo, codigo: failure.codigo }),
    })),
  }
}

/** In a test environment nothing is sent, whatever the state of the mail server. */
export const heldMails = {
  estado: 'desconhecido',
  frase: 'Este ambiente foi restaurado como ensaio: os e-mails ficam retidos até ele ser liberado.',
} as const

interface Found {
  queue: Awaited<ReturnType<typeof countMails>>
  server: Awaited<ReturnType<typeof findMailServer>>
  undelivered: number
  isFolder: boolean
  now: Date
}

const evaluate = ({ queue, server, undelivered, isFolder, now }: Found): Item => {
  if (server?.falhandoDesde && server.motivo) {
    const since = now.getTime() - server.falhandoDesde.getTime()
    const why = failureSentence({ motivo: server.motivo, codigo: server.codigo ?? '' })
    return since < mailFailsAfter
      ? { estado: 'atencao', frase: why }
      : { estado: 'falha', frase: `Nenhum e-mail sai há ${spanText(since)}. ${why}` }
  }
  const oldest = queue.maisAntigaEm && now.getTime() - queue.maisAntigaEm.getTime()
  if (undelivered > 0) {
    const what = countText(undelivered, 'e-mail não foi entregue', 'e-mails não foram entregues')
    return { estado: 'atencao', frase: `Nas últimas 24 horas, ${what}: veja os motivos abaixo.` }
  }
  if (oldest !== null && oldest > hour) {
    const frase = `Um e-mail espera há ${spanText(oldest)}: envie um teste para ver o que o impede.`
    return { estado: 'atencao', frase }
  }
  if (isFolder) {
    const frase =
      'Nenhum e-mail é enviado: sem SMTP_URL, convites e avisos viram arquivos na pasta outbox. Configure um servidor de e-mail.'
    return { estado: 'atencao', frase }
  }
  return server?.entregueEm
    ? { estado: 'ok', frase: 'Os e-mails estão sendo entregues.' }
    : { estado: 'desconhecido', frase: 'Nenhum e-mail foi entregue ainda: envie um teste.' }
}
