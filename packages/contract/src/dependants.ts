import { callsOf, namedObject } from './calls/endpoint.ts'
import type { Entity } from './calls/entity.ts'
import { z } from './calls/zod.ts'
import { entities } from './entities.ts'

/** The most dependants of a kind that an answer names. */
export const NAMED_DEPENDANTS = 5

/** The records of one kind that prevent a deletion. */
export const DependantGroup = namedObject('DependantGroup', {
  tipo: z.string(),
  total: z.number().int(),
  /** At most NAMED_DEPENDANTS records, the first by name. */
  registros: z.array(z.object({ id: z.number().int(), nome: z.string() })),
})
export type DependantGroup = z.infer<typeof DependantGroup>

const callOf = ({ path, permission, menu, title }: Entity) =>
  callsOf({ permission, tag: menu?.title ?? title }).get(
    `${path}/:id/dependentes`,
    'O que impede a exclusão, por tipo de cadastro, com os primeiros nomes',
    { response: { 200: z.array(DependantGroup) } },
  )

type Kind = Extract<(typeof entities)[number], { dependants: object }>['kind']

/** The call for each kind of record that others may refer to, keyed by kind. */
export const dependantsApi = Object.fromEntries(
  entities.flatMap((entity: Entity) => (entity.dependants ? [[entity.kind, callOf(entity)]] : [])),
) as Record<Kind, ReturnType<typeof callOf>>
