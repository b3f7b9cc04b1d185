import { join } from 'node:path'
import { z } from 'zod'
import { CommandError } from '../../../platform/commands/command.ts'
import type { Secrets } from '../../../platform/config/secrets.ts'
import { readIfThere } from '../../../platform/lib/missing-files.ts'
import { orUndefined } from '../../../platform/lib/or-undefined.ts'

const identifier = z.string().regex(/^[a-z_][a-z0-9_]{0,62}$/)
const count = z.number().int().nonnegative()
const sha256 = z.string().regex(/^[0-9a-f]{64}$/)
/** Returns whether a path stays below its folder: a manifest must not lead outside. */
export const isInnerPath = (text: string): boolean =>
  !/^\/|\\|^[a-z]:/i.test(text) && text.split('/').every((part) => !/^\.{0,2}$/.test(part))
const path = z.string().refine(isInnerPath)

const BackupFile = z.object({ caminho: path, bytes: count, sha256 })
export type BackupFile = z.infer<typeof BackupFile>

/** Content of a backup; written last, so that an interrupted backup has none. */
export const Manifest = z.object({
  formato: z.literal(1),
  programa: z.string(),
  criadaEm: z.iso.datetime(),
  /** The schema, as the list of its migrations. */
  migracoes: z.array(z.string()).min(1),
  tabelas: z.array(
    z.object({ nome: identifier, colunas: z.array(identifier).min(1), linhas: count, arquivo: BackupFile }),
  ),
  /** Last values of sequences; null before the first. */
  sequencias: z.array(z.object({ nome: identifier, valor: count.nullable() })),
  arquivos: z.array(BackupFile),
  /** Ids of the installation's sealing keys, newest first, and where it stored them. */
  chaves: z.object({ origem: z.enum(['arquivo', 'ambiente']), ids: z.array(z.string()).min(1) }),
  /** The report service's credentials, with the keys. Absent in backups of earlier versions. */
  credenciais: z.array(BackupFile).optional(),
  /** The source and its places, which a test restore must not use. Absent in earlier versions. */
  origem: z
    .object({
      instalacao: z.uuid(),
      /** Identity of the database (`readDatabaseId`). */
      banco: z.string(),
      /** Bucket of the attachments, as `https://endpoint/bucket`. */
      bucket: z.string().nullable(),
    })
    .optional(),
  /**
   * The local report service: how many reports and datasets, and whether the service sent them. Null:
   * there is one, and nothing could be read. Absent without one, and in earlier versions' backups.
   */
  relatorios: z
    .object({ origem: z.enum(['servico', 'pasta']), relatorios: count, conjuntos: count })
    .nullable()
    .optional(),
  /** HMAC of all other fields with an installation key. Absent in earlier versions' backups. */
  selo: z.object({ chave: z.string(), marca: z.string() }).optional(),
})
export type Manifest = z.infer<typeof Manifest>

/** The first word separates it from the audit trail's signatures with the same key. */
const textOf = (unsealed: object): string => JSON.stringify(['copia', unsealed])

export const sealManifest = (
  { sign }: Pick<Secrets, 'sign'>,
  manifest: Omit<Manifest, 'selo'>,
): Manifest => ({
  ...manifest,
  selo: sign(textOf(manifest)),
})

export const manifestName = 'manifest.json'

interface ReadManifest {
  manifest: Manifest
  /** Returns whether one of these keys sealed this content; undefined without a seal. */
  isSealedBy: (secrets: Pick<Secrets, 'signatureBy'>) => boolean | undefined
}

/** @throws CommandError when there is no manifest, or not one of BI Manager */
export const readManifest = (folder: string): ReadManifest => {
  const text = readIfThere(join(folder, manifestName))
  if (text === undefined) {
    throw new CommandError(
      `Não há cópia completa em ${folder}: falta ${manifestName}, que é escrito por último.`,
    )
  }
  const given = orUndefined(() => JSON.parse(text))
  const parsed = Manifest.safeParse(given)
  if (!parsed.success) {
    throw new CommandError(
      `O arquivo ${join(folder, manifestName)} não é de uma cópia do BI Manager que esta versão conheça.`,
    )
  }
  const manifest = parsed.data
  const { selo, ...unsealed } = given as Manifest
  return {
    manifest,
    isSealedBy: ({ signatureBy }) => selo && signatureBy(selo.chave, textOf(unsealed)) === selo.marca,
  }
}
