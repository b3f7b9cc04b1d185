import { type AttentionItem, StatusItem, type SystemStatus } from '@bi-manager/contract'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/open-database.ts'
import { countText } from '../../platform/lib/count-text.ts'

/**
 * Returns what an ADMIN should look at now: people first, then data, then the system.
 * @param status undefined leaves the system out
 */
export const attentionOf = async (
  db: Db,
  idUsuario: number,
  status: SystemStatus | undefined,
): Promise<AttentionItem[]> => {
  const { contas, pedidos, atualizacoes, trocas, capacidades } = await countWaiting(db, idUsuario)
  const waiting: (AttentionItem | false)[] = [
    contas > 0 && {
      assunto: 'contas',
      frase: `${countText(contas, 'pedido de conta aguarda', 'pedidos de conta aguardam')} aprovação.`,
      rota: '/usuario?situacao=PENDENTE',
    },
    pedidos > 0 && {
      assunto: 'pedidos',
      frase: `${countText(pedidos, 'pedido de acesso a relatório aguarda', 'pedidos de acesso a relatórios aguardam')} resposta.`,
      rota: '/pedidos-acesso?situacao=ABERTO',
    },
    atualizacoes > 0 && {
      assunto: 'dados',
      frase: `${countText(atualizacoes, 'relatório tem', 'relatórios têm')} uma atualização de dados que falhou.`,
      rota: '/notificacoes',
    },
    trocas > 0 && {
      assunto: 'trocas',
      frase: `${countText(trocas, 'relatório tem', 'relatórios têm')} uma troca agendada de dados que falhou.`,
      rota: '/publicados',
    },
    capacidades > 0 && {
      assunto: 'capacidades',
      frase: `${countText(capacidades, 'capacidade não pôde', 'capacidades não puderam')} ser lida ou mudada no Azure.`,
      rota: '/capacidades',
    },
  ]
  const unwell = StatusItem.options.flatMap((assunto) => {
    const item = status?.[assunto]
    const needsAction = item?.estado === 'falha' || item?.estado === 'atencao'
    return needsAction ? [{ assunto, frase: item.frase, rota: '/situacao' }] : []
  })
  return [...waiting.filter((item) => item !== false), ...unwell]
}

interface Waiting {
  contas: number
  /** Open requests for access to reports. */
  pedidos: number
  /** Reports with a failed refresh that this ADMIN has not read of. */
  atualizacoes: number
  /** Reports whose last scheduled replacement failed. */
  trocas: number
  capacidades: number
}

const countWaiting = async (db: Db, idUsuario: number): Promise<Waiting> => {
  const { rows } = await sql<Waiting>`
    select (select count(*)::int from usuario where situacao = 'PENDENTE') as contas,
      (select count(*)::int from pedido_acesso where situacao = 'ABERTO') as pedidos,
      (
        select count(distinct rota)::int from notificacao
        where id_usuario = ${idUsuario} and lida_em is null and starts_with(assunto, 'atualizacao:')
      ) as atualizacoes,
      (select count(*)::int from agenda_dados where ativa and resultado = 'FALHOU') as trocas,
      (select count(*)::int from capacidade_estado where falha is not null) as capacidades`.execute(db)
  return rows[0] ?? { contas: 0, pedidos: 0, atualizacoes: 0, trocas: 0, capacidades: 0 }
}
