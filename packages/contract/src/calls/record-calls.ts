import { callsOf } from './endpoint.ts'
import type { Entity } from './entity.ts'
import type { Permission } from './permissions.ts'
import { z } from './zod.ts'

interface Records<R, D, U, Q> {
  /** The permission to read one record; default: that of the entity. */
  permissionToRead?: Permission
  tag: string
  /** A short Portuguese sentence for each call. */
  summaries: Record<'list' | 'get' | 'create' | 'update' | 'remove', string>
  query: Q
  record: R
  draft: D
  /** The body of an update. */
  update: U
}

/** Returns the calls that list, read, create, update and delete records of an entity. */
export const recordCalls = <
  R extends z.ZodType,
  D extends z.ZodType,
  U extends z.ZodType,
  Q extends z.ZodType,
>(
  { path, permission }: Pick<Entity, 'path' | 'permission'>,
  { permissionToRead = permission, tag, summaries, query, record, draft, update }: Records<R, D, U, Q>,
) => {
  const { get, post, put, remove } = callsOf({ permission, tag })
  const url = `${path}/:id` as const
  const response = { 200: record }
  return {
    list: get(path, summaries.list, { query, response: { 200: z.array(record) } }),
    get: get(url, summaries.get, { permission: permissionToRead, response }),
    create: post(path, summaries.create, { body: draft, response: { 201: record } }),
    update: put(url, summaries.update, { body: update, response }),
    remove: remove(url, summaries.remove),
  }
}

/** Returns the list's call for code that handles any entity. */
export const listCallOf = ({ path, permission, title }: Entity) =>
  callsOf({ permission, tag: title }).get(path, title, {
    response: { 200: z.array(z.record(z.string(), z.unknown())) },
  })
