import type { z } from 'zod'
import type { Permission } from './permissions.ts'

/**
 * One call of the API, said once: the server validates and documents with it, the portal types and sends with it.
 * `url` is relative to `/api` and writes path parameters as `:name`. A status without a body has `z.void()`.
 */
export interface Endpoint {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  url: string
  permission: Permission
  /** A short Portuguese sentence for the API's page. */
  summary: string
  tag: string
  params?: z.ZodType
  query?: z.ZodType
  body?: z.ZodType
  /** The body is multipart/form-data: `body` says its text fields, and this is the name of the field that may carry a file. */
  file?: string
  /** Of the answer, where it is not JSON. */
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

/** What a caller hands over: params, query and body as the endpoint declares them; a file where it takes one. */
export type Input<E extends Endpoint> = Part<E, 'params'> &
  Part<E, 'query'> &
  Part<E, 'body'> &
  (E['file'] extends string ? { file?: Blob | undefined } : { file?: undefined })

/** What a caller gets back: the union of the declared success bodies; the bytes where the answer is not JSON. */
export type Output<E extends Endpoint> = E['contentType'] extends string
  ? Blob
  : {
      [S in keyof E['response']]: E['response'][S] extends z.ZodType ? z.output<E['response'][S]> : never
    }[keyof E['response']]
