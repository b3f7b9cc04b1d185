import type { z } from 'zod'
import type { Permission } from './permissions.ts'

/**
 * Defines one call of the API: the server validates and documents with it,
 * the web app types and sends with it. `url` is relative to `/api`, with
 * path parameters as `:name`. A status without a body has `z.void()`.
 */
export interface Endpoint {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  url: string
  permission: Permission
  /** A short Portuguese sentence for the API documentation. */
  summary: string
  tag: string
  params?: z.ZodType
  query?: z.ZodType
  body?: z.ZodType
  /** Makes the body multipart/form-data; this is the name of the optional file's field. */
  file?: string
  /** Content type of an answer that is not JSON. */
  contentType?:
    | 'text/csv'
    | 'image/webp'
    | 'text/event-stream'
    | 'application/pdf'
    | 'application/octet-stream'
  response: Record<number, z.ZodType>
}

export const endpoint = <const E extends Endpoint>(definition: E): E => definition

type Part<E extends Endpoint, K extends 'params' | 'query' | 'body'> = E[K] extends z.ZodType
  ? { [P in K]: z.input<E[K]> }
  : { [P in K]?: undefined }

/** The arguments of a call: params, query and body as declared, and an optional file. */
export type Input<E extends Endpoint> = Part<E, 'params'> &
  Part<E, 'query'> &
  Part<E, 'body'> &
  (E['file'] extends string ? { file?: Blob | undefined } : { file?: undefined })

/** The result of a call: the union of the declared success bodies; a Blob if it is not JSON. */
export type Output<E extends Endpoint> = E['contentType'] extends string
  ? Blob
  : {
      [S in keyof E['response']]: E['response'][S] extends z.ZodType ? z.output<E['response'][S]> : never
    }[keyof E['response']]
