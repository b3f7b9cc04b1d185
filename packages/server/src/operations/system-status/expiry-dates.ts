import { sql } from 'kysely'
import type { Services } from '../../platform/http/services.ts'
import { certificateTargets, type ReadCertificate } from './certificates.ts'

/** An expiry whose date may be unknown. */
export interface Expiry {
  /** Name shown to administrators, in Portuguese. */
  name: string
  kind: 'certificate' | 'secret'
  /** Its setting or record: `PUBLIC_URL`, `powerbi:3`. */
  source: string
  /** Host and port of a certificate, or where the secret is renewed. */
  place: string
  /** The portal page where it is renewed. */
  path: string | undefined
  expiresAt: Date | undefined
  /** Why the portal refuses the certificate: Node's code. */
  fault?: string | null
  /** The date of a secret was read from Microsoft Graph. */
  isRead?: boolean
}

const hour = 3_600_000
const readLimit = 3_000
const keptAfterFailure = 60_000

/**
 * Reads when the installation's certificates and secrets expire. A certificate is read at most once
 * an hour, within three seconds; one that cannot be read has no date.
 */
export const createExpiryDates = ({ config, db, now }: Pick<Services, 'config' | 'db' | 'now'>) => {
  const targets = certificateTargets(config).map((target) => {
    let known: { at: number; keptFor: number; found: Promise<ReadCertificate | undefined> } | undefined
    const read = (): Promise<ReadCertificate | undefined> => {
      const time = now().getTime()
      if (known && Math.abs(time - known.at) < known.keptFor) return known.found
      const found = target.read(AbortSignal.timeout(readLimit)).catch(() => undefined)
      const reading = { at: time, keptFor: hour, found }
      known = reading
      void found.then((certificate) => {
        if (!certificate || certificate.fault) reading.keptFor = keptAfterFailure
      })
      return found
    }
    return { ...target, read }
  })

  const certificates = (): Promise<Expiry[]> =>
    Promise.all(
      targets.map(async ({ setting, name, address, read }): Promise<Expiry> => {
        const { expiresAt, fault } = (await read()) ?? { expiresAt: undefined }
        const known = { expiresAt, fault: fault ?? null }
        return { name, kind: 'certificate', source: setting, place: address, path: undefined, ...known }
      }),
    )

  const secrets = async (): Promise<Expiry[]> => {
    const rows = await db
      .selectFrom('powerbi')
      .leftJoin('leituraSegredo', 'leituraSegredo.idPowerBi', 'powerbi.idPowerBi')
      .select(['powerbi.idPowerBi', 'nome', 'validadeSegredo', 'venceEm'])
      // A service principal's secret always expires; a person's password may not.
      .where((eb) =>
        eb.or([
          eb('validadeSegredo', 'is not', null),
          eb.and([eb('provedor', '=', 'microsoft'), eb('tipoCredencial', '=', 'service_principal')]),
        ]),
      )
      .orderBy(sql`coalesce(vence_em, validade_segredo)`)
      .orderBy('powerbi.idPowerBi')
      .limit(100)
      .execute()
    const ofSetting = config.oidc?.clientSecretExpires
    return [
      ...(ofSetting
        ? [
            {
              name: 'Provedor de identidade',
              kind: 'secret' as const,
              source: 'OIDC_CLIENT_SECRET',
              place: config.oidc?.issuer ?? '',
              path: undefined,
              expiresAt: startOf(ofSetting),
            },
          ]
        : []),
      ...rows.map(({ idPowerBi, nome, validadeSegredo, venceEm }) => ({
        name: nome,
        kind: 'secret' as const,
        source: `powerbi:${idPowerBi}`,
        place: 'Powerbi',
        path: `/Registerpowerbi/${idPowerBi}`,
        expiresAt: venceEm ?? (validadeSegredo === null ? undefined : startOf(validadeSegredo)),
        isRead: venceEm !== null,
      })),
    ]
  }

  return { certificates, secrets }
}

export type ExpiryDates = ReturnType<typeof createExpiryDates>

/** A provider states only the day, so the earliest hour counts. */
const startOf = (day: string): Date => new Date(`${day}T00:00:00-03:00`)
