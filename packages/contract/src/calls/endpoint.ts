import { EntityId } from './ids.ts'
import type { Permission } from './permissions.ts'
import { z } from './zod.ts'

/**
 * When a call requires that its caller confirmed within ten minutes who they are: a stolen session
 * must not give a credential, power, or the rows of another person. `serve` enforces `always` only.
 */
export type Reauthentication =
  | 'always'
  /** With the password, which the handler checks: the call changes the caller's own credentials. */
  | 'password'
  /**
   * Depends on the effect of the call: the handler calls `assertReauthenticated`. The condition is
   * Portuguese and continues 'se …' in docs/security.md.
   */
  | { readonly if: string }

/**
 * Defines one call of the API: the server validates and documents with it,
 * the web app types and sends with it. `url` is relative to `/api`, with
 * path parameters as `:name`. A status without a body has `z.void()`.
 */
export interface Endpoint {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  url: string
  permission: Permission
  /** A call without one is refused with `reautenticacao_necessaria`. */
  reauthentication?: Reauthentication
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
    | 'image/png'
    | 'text/event-stream'
    | 'application/pdf'
    | 'application/octet-stream'
  /** The address names its content, so that caches may keep a successful answer for ever. */
  isImmutable?: true
  response: Record<number, z.ZodType>
}

/** Bytes of an uploaded file at most: an attachment, an image, a data file. */
export const MAX_UPLOAD_BYTES = 10 * 1024 * 1024

export const endpoint = <const E extends Endpoint>(definition: E): E => definition

type Shared = Pick<Endpoint, 'tag' | 'permission'>
type Rest = Partial<Omit<Endpoint, 'method' | 'url' | 'summary'>>
type ParamOf<U> = U extends `${string}/:${infer P}/${infer After}`
  ? P | ParamOf<`/${After}`>
  : U extends `${string}/:${infer P}`
    ? P
    : never
type Params<P extends string> = [P] extends [never]
  ? unknown
  : { params: z.ZodObject<Record<P, typeof EntityId>> }
type Call<M, U, S, R> = { method: M; url: string; summary: string } & Omit<S, keyof R> &
  R &
  (R extends { params: object } ? unknown : Params<ParamOf<U>>) &
  (R extends { response: object }
    ? unknown
    : { response: R extends { contentType: string } ? { 200: z.ZodString } : { 204: z.ZodVoid } })

/** The schemas of parameters by their names: many calls have the same, and each costs time to make. */
const paramsByNames = new Map<string, z.ZodType>()

const paramsOf = (url: string) => {
  const names = Array.from(url.matchAll(/:(\w+)/g), ([, name = '']) => name)
  if (names.length === 0) return {}
  const key = names.join()
  const params = paramsByNames.get(key) ?? z.object(Object.fromEntries(names.map((name) => [name, EntityId])))
  paramsByNames.set(key, params)
  return { params }
}

const noBody = z.void()
const text = z.string()

/**
 * Returns functions that define calls with the same tag and permission, where a call does not have
 * its own. Without `params`, those in the address are ids of ours. A call without a response
 * answers 204, or 200 with a text of its content type.
 */
export const callsOf = <const S extends Shared>(shared: S) => {
  const define =
    <const M extends Endpoint['method']>(method: M) =>
    <const U extends string, const R extends Rest = Record<never, never>>(
      url: U,
      summary: string,
      rest?: R,
    ) => {
      const response = rest?.contentType ? { 200: text } : { 204: noBody }
      const call = { ...shared, method, url, summary, ...paramsOf(url), response, ...rest }
      return call as unknown as Call<M, U, S, R>
    }
  return { get: define('GET'), post: define('POST'), put: define('PUT'), remove: define('DELETE') }
}

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

/** Returns the schema of an object that the API documentation shows under this name. */
export const namedObject = <S extends z.core.$ZodLooseShape>(id: string, shape: S) =>
  z.object(shape).meta({ id })
