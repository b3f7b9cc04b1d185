import type { SubscriptionDraft } from '@bi-manager/contract'
import type { Insertable } from 'kysely'
import type { Tables } from '../../src/platform/db/types.ts'
import type { TestApp } from '../test-app.ts'

/** A draft of a daily subscription, as the wire takes it. */
export const subscriptionDraft = (fields: Partial<SubscriptionDraft> = {}) => ({
  assunto: 'Custos da semana',
  formato: 'PDF' as const,
  frequencia: 'DIARIA' as const,
  horario: '07:30',
  ...fields,
})

type Fields = Partial<Insertable<Tables['assinatura']>> & { idRelatorio: number; idDono: number }

/** Inserts a subscription whose recipients are these people; default: its owner. */
export const createSubscription = async (
  { db }: Pick<TestApp, 'db'>,
  fields: Fields,
  people: readonly number[] = [fields.idDono],
) => {
  const row = await db
    .insertInto('assinatura')
    .values({
      assunto: 'Custos da semana',
      formato: 'PDF',
      entrega: 'LINK',
      filtros: '{}',
      parametros: [],
      frequencia: 'DIARIA',
      horario: '07:30',
      fuso: 'America/Sao_Paulo',
      ativa: true,
      pulaVazio: false,
      pulaInalterado: false,
      atualizadaAte: new Date(),
      ...fields,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  const { idAssinatura } = row
  for (const idUsuario of people)
    await db.insertInto('assinaturaPessoa').values({ idAssinatura, idUsuario }).execute()
  return row
}

/** Inserts a run with an e-mail to each of these people. */
export const createRun = async (
  { db }: Pick<TestApp, 'db'>,
  fields: Partial<Insertable<Tables['assinaturaExecucao']>> & { idAssinatura: number },
  people: readonly number[] = [],
) => {
  const em = new Date()
  const run = await db
    .insertInto('assinaturaExecucao')
    .values({ causa: 'AGENDA', previstaEm: em, tentarEm: em, ...fields })
    .returningAll()
    .executeTakeFirstOrThrow()
  for (const idUsuario of people)
    await db.insertInto('assinaturaEntrega').values({ idExecucao: run.idExecucao, idUsuario, em }).execute()
  return run
}
