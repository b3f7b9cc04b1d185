import { callsOf, type Reauthentication } from './endpoint.ts'
import type { Entity } from './entity.ts'
import type { Permission } from './permissions.ts'
import { z } from './zod.ts'

type Written = 'create' | 'update' | 'remove'
type Requirements = Partial<Record<Written, Reauthentication>>
type RequirementOf<P, K extends Written> =
  P extends Record<K, infer A extends Reauthentication> ? { reauthentication: A } : unknown

interface Records<R, D, U, Q, P> {
  /** The permission of `get`, which reads one record; default: that of the entity. */
  permissionToGet?: Permission
  tag: string
  reauthentication?: P
  /** A short Portuguese sentence for each call. */
  summaries: Record<'list' | 'get' | 'create' | 'update' | 'remove', string>
  query: Q
  record: R
  draft: D
  /** The body of an update. */
  update: U
}

/** Returns the calls that list, read, create, update and delete records of an entity. */
export const entityCalls = <
  R extends z.ZodType,
  D extends z.ZodType,
  U extends z.ZodType,
  Q extends z.ZodType,
  const P extends Requirements = Record<never, never>,
>(
  { path, permission }: Pick<Entity, 'path' | 'permission'>,
  {
    permissionToGet = permission,
    tag,
    summaries,
    query,
    record,
    draft,
    update,
    reauthentication,
  }: Records<R, D, U, Q, P>,
) => {
  const { get, post, put, remove } = callsOf({ permission, tag })
  const url = `${path}/:id` as const
  const response = { 200: record }
  const required = <E extends object, K extends Written>(key: K, call: E) => {
    const when = (reauthentication as Requirements | undefined)?.[key]
    return { ...call, ...(when && { reauthentication: when }) } as E & RequirementOf<P, K>
  }
  return {
    list: get(path, summaries.list, { query, response: { 200: z.array(record) } }),
    get: get(url, summaries.get, { permission: permissionToGet, response }),
    create: required('create', post(path, summaries.create, { body: draft, response: { 201: record } })),
    update: required('update', put(url, summaries.update, { body: update, response })),
    remove: required('remove', remove(url, summaries.remove)),
  }
}

/** Returns the list's call for code that handles any entity. */
export const listCallOf = ({ path, permission, title }: Entity) =>
  callsOf({ permission, tag: title }).get(path, title, {
    response: { 200: z.array(z.record(z.string(), z.unknown())) },
  })
