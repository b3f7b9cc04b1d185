import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import type { Entity } from './entity.ts'
import { RecordId } from './ids.ts'
import type { Permission } from './permissions.ts'

interface Records<R, D, U, Q> {
  /** Of reading one record; default: that of the entity. */
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

const params = z.object({ id: RecordId })

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
  const shared = { permission, tag } as const
  const one = { ...shared, url: `${path}/:id`, params } as const
  return {
    list: endpoint({
      ...shared,
      method: 'GET',
      url: path,
      summary: summaries.list,
      query,
      response: { 200: z.array(record) },
    }),
    get: endpoint({
      ...one,
      permission: permissionToRead,
      method: 'GET',
      summary: summaries.get,
      response: { 200: record },
    }),
    create: endpoint({
      ...shared,
      method: 'POST',
      url: path,
      summary: summaries.create,
      body: draft,
      response: { 201: record },
    }),
    update: endpoint({
      ...one,
      method: 'PUT',
      summary: summaries.update,
      body: update,
      response: { 200: record },
    }),
    remove: endpoint({ ...one, method: 'DELETE', summary: summaries.remove, response: { 204: z.void() } }),
  }
}

/** Returns the list's call for code that handles any entity. */
export const listCallOf = ({ path, permission, title }: Entity) =>
  endpoint({
    method: 'GET',
    url: path,
    permission,
    tag: title,
    summary: title,
    response: { 200: z.array(z.record(z.string(), z.unknown())) },
  })
