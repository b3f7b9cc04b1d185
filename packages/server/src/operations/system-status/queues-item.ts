import type { QueueStatus, SystemStatus } from '@bi-manager/contract'
import type { Services } from '../../platform/http/services.ts'
import { readInstallation } from '../../platform/installation/test-environment.ts'
import { type Item, spanText, worstOf } from './item.ts'
import { heldMails } from './mail-item.ts'
import { countExports, countMails, countPendingFiles, countUnsealed } from './system-status.repository.ts'

const minute = 60_000
const hour = 60 * minute

interface Rule {
  fila: QueueStatus['fila']
  /** Milliseconds after which waiting is no longer normal. */
  late: number
  act: string
}

const mails: Rule = { fila: 'emails', late: hour, act: 'veja “E-mail” nesta página' }
const exports: Rule = { fila: 'exportacoes', late: 15 * minute, act: 'veja se o serviço de BI responde' }
const audit: Rule = { fila: 'auditoria', late: 10 * minute, act: 'execute npm run audit:verify no servidor' }
// Deleted once an hour, when they are at least ten minutes old.
const files: Rule = { fila: 'arquivos', late: 2 * hour, act: 'veja no log se o armazenamento responde' }

export const queuesItem = async ({
  db,
  now,
}: Pick<Services, 'db' | 'now'>): Promise<SystemStatus['filas']> => {
  const [{ ensaio }, waitingMails, waitingExports, unsealed, pendingFiles] = await Promise.all([
    readInstallation(db),
    countMails(db),
    countExports(db, new Date(now().getTime() - hour)),
    countUnsealed(db),
    countPendingFiles(db),
  ])
  const queue = (rule: Rule, { aguardando, maisAntigaEm }: typeof unsealed): QueueStatus => ({
    ...evaluate(rule, maisAntigaEm, now()),
    fila: rule.fila,
    aguardando,
    maisAntigaEm: maisAntigaEm?.toISOString() ?? null,
  })
  const lista = [
    { ...queue(mails, waitingMails), ...(ensaio && waitingMails.aguardando > 0 ? heldMails : {}) },
    queue(exports, waitingExports),
    queue(audit, unsealed),
    queue(files, pendingFiles),
  ]
  const estado = worstOf(lista)
  const frase = estado === 'ok' ? 'Nada espera além do normal.' : 'Há trabalho esperando além do normal.'
  return { estado, frase, lista }
}

const evaluate = ({ late, act }: Rule, oldest: Date | null, now: Date): Item => {
  if (!oldest) return { estado: 'ok', frase: 'Nada espera.' }
  const age = now.getTime() - oldest.getTime()
  return age > late
    ? { estado: 'atencao', frase: `O mais antigo espera há ${spanText(age)}: ${act}.` }
    : { estado: 'ok', frase: 'Em andamento.' }
}
