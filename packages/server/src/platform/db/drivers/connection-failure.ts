import { connectionFault, faultSentence } from '../../lib/connection-fault.ts'
import { isAnswer, refused, UnusableDatabase } from './unusable-database.ts'

interface Failure {
  code: string
  message: string
  /** The role and the database that were asked for. */
  role: string
  base: string
}

/*
 * PostgreSQL's codes come first. PgBouncer sends all its failures, and those of the server behind it,
 * as 08P01: there the message decides. pg's own errors have no code.
 */
const sentences: { code?: RegExp; message?: RegExp; text: (failure: Failure) => string }[] = [
  {
    message: /^SASL|^empty password/,
    text: () => 'Falta a senha em DATABASE_URL, ou ela está errada.',
  },
  {
    code: /^28P01$/,
    message: /^password authentication failed/,
    text: ({ role }) => `O PostgreSQL recusou a senha do papel ${role}: corrija DATABASE_URL.`,
  },
  {
    code: /^28/,
    message: /^no such user|^no pg_hba\.conf entry|is not permitted to log in/,
    text: ({ role, message }) =>
      `O PostgreSQL não deixa o papel ${role} entrar (${message}): confira o nome e o pg_hba.conf.`,
  },
  {
    code: /^3D000$/,
    message: /^no such database: |^database ".+" does not exist/,
    text: ({ base, message }) =>
      `O banco ${/^database "(.+)" does not exist/.exec(message)?.[1] ?? base} não existe: crie-o, ou corrija DATABASE_URL.`,
  },
  {
    // A role may also lack the right to a parameter or a language.
    message: /^permission denied for database/,
    text: () =>
      'O papel do banco de dados não pode se conectar a ele: `grant connect on database <banco> to <papel>`.',
  },
  {
    code: /^(ENOTFOUND|EAI_)/,
    text: ({ code }) =>
      `O nome do servidor do banco de dados não foi encontrado (${code}): corrija DATABASE_URL, ou confira o DNS.`,
  },
  {
    code: /^(ECONN|EPIPE|ETIMEDOUT|EHOST|ENET)/,
    text: ({ code }) =>
      `O servidor do banco de dados não respondeu (${code}): confira o endereço em DATABASE_URL e se o PostgreSQL está no ar.`,
  },
  {
    code: /^(08|53|57P)/,
    message: /^timeout expired|^Connection terminated/,
    text: ({ message }) => `O banco de dados não aceita conexões agora (${message}).`,
  },
  {
    code: /^ERR_(TLS|SSL)/,
    message: /^The server does not support SSL|^There was an error establishing an SSL/,
    text: ({ message }) => `O banco de dados recusou a conexão com TLS (${message}).`,
  },
]

/**
 * Turns an error while connecting to PostgreSQL into its sentence.
 * @throws UnusableDatabase, or the error itself when it is not about the connection
 */
export const explainConnection = (asked: Pick<Failure, 'role' | 'base'>, cause: unknown): never => {
  const fault = connectionFault(cause)
  if (fault) throw new UnusableDatabase(`${faultSentence(fault, 'do banco de dados')}.`, { cause })
  const { code = '', message = '' } = cause as { code?: string; message?: string }
  const found = sentences.find((one) => one.code?.test(code) || one.message?.test(message))
  if (!found) throw isAnswer(cause) ? refused(cause) : cause
  throw new UnusableDatabase(found.text({ code, message, ...asked }), { cause })
}
