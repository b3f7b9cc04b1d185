import type { AlertDraft } from '@bi-manager/contract'
import type { Insertable } from 'kysely'
import type { Tables } from '../../src/platform/db/types.ts'
import type { TestApp } from '../test-app.ts'

/** A draft of an hourly alert on a card, as the wire takes it. */
export const alertDraft = (fields: Partial<AlertDraft> = {}) => ({
  nomeAlerta: 'Custo alto',
  pagina: 'p1',
  visual: 'custo',
  coluna: 'custo',
  condicao: 'ACIMA' as const,
  limite: 100,
  frequencia: 'HORA' as const,
  ...fields,
})

type Fields = Partial<Insertable<Tables['alerta']>> & { idRelatorio: number; idDono: number }

/** Inserts an alert on a card. */
export const createAlert = ({ db }: Pick<TestApp, 'db'>, fields: Fields) =>
  db
    .insertInto('alerta')
    .values({
      nomeAlerta: 'Custo alto',
      origem: 'VISUAL',
      pagina: 'p1',
      tituloPagina: 'Resumo',
      visual: 'custo',
      tituloVisual: 'Custo',
      coluna: 'custo',
      rotuloColuna: 'Custo',
      filtros: '{}',
      endereco: `relatorio=${fields.idRelatorio}&pagina=p1`,
      condicao: 'ACIMA',
      limite: 100,
      frequencia: 'HORA',
      fuso: 'America/Sao_Paulo',
      atualizadaAte: new Date(),
      ...fields,
    })
    .returningAll()
    .executeTakeFirstOrThrow()

/** Inserts an evaluation of an alert. */
export const createEvaluation = (
  { db }: Pick<TestApp, 'db'>,
  fields: Partial<Insertable<Tables['alertaAvaliacao']>> & { idAlerta: number },
) =>
  db
    .insertInto('alertaAvaliacao')
    .values({ em: new Date(), resultado: 'NORMAL', duracaoMs: 1, versaoAlerta: 1, ...fields })
    .returningAll()
    .executeTakeFirstOrThrow()
