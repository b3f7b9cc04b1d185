import type { Services } from '../../http/services.ts'
import { certificateTargets } from './certificates.ts'

export interface ExpiryDate {
  /** What a person calls it, in Portuguese. */
  name: string
  kind: 'certificate' | 'secret'
  expiresAt: Date
}

/** One whose date could not be read has none. */
export interface Expiry extends Omit<ExpiryDate, 'expiresAt'> {
  /** The setting or record that it belongs to: `PUBLIC_URL`, `powerbi:3`. */
  source: string
  /** Host and port of a certificate, or who is to renew the secret. */
  place: string
  /** The page of the portal where it is renewed. */
  path: string | undefined
  expiresAt: Date | undefined
}

const hour = 3_600_000
const readLimit = 3_000
const keptAfterFailure = 60_000

/**
 * Reads when the certificates and secrets of the installation expire. A certificate is read at most
 * once an hour, within three seconds; the answer comes without one that cannot be read.
 */
export const createExpiryDates = ({ config, db, now }: Pick<Services, 'config' | 'db' | 'now'>) => {
  const targets = certificateTargets(config).map((target) => {
    let known: { at: number; keptFor: number; expiresAt: Promise<Date | undefined> } | undefined
    const read = (): Promise<Date | undefined> => {
      const time = now().getTime()
      if (known && Math.abs(time - known.at) < known.keptFor) return known.expiresAt
      const expiresAt = target.read(AbortSignal.timeout(readLimit)).catch(() => undefined)
      const reading = { at: time, keptFor: hour, expiresAt }
      known = reading
      void expiresAt.then((date) => {
        if (!date) reading.keptFor = keptAfterFailure
      })
      return expiresAt
    }
    return { ...target, read }
  })

  const certificates = (): Promise<Expiry[]> =>
    Promise.all(
      targets.map(async ({ setting, name, address, read }): Promise<Expiry> => {
        const expiresAt = await read()
        return { name, kind: 'certificate', source: setting, place: address, path: undefined, expiresAt }
      }),
    )

  const secrets = async (): Promise<Expiry[]> => {
    const rows = await db
      .selectFrom('powerbi')
      .select(['idPowerBi', 'nome', 'validadeSegredo'])
      .where('validadeSegredo', 'is not', null)
      .orderBy('validadeSegredo')
      .orderBy('idPowerBi')
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
      ...rows.flatMap(({ idPowerBi, nome, validadeSegredo }) => ({
        name: nome,
        kind: 'secret' as const,
        source: `powerbi:${idPowerBi}`,
        place: 'Powerbi',
        path: `/Registerpowerbi/${idPowerBi}`,
        expiresAt: validadeSegredo === null ? undefined : startOf(validadeSegredo),
      })),
    ]
  }

  return {
    certificates,
    secrets,
    /** Every date that is known. */
    list: async (): Promise<ExpiryDate[]> =>
      [...(await certificates()), ...(await secrets())].flatMap(({ name, kind, expiresAt }) =>
        expiresAt ? { name, kind, expiresAt } : [],
      ),
  }
}

export type ExpiryDates = ReturnType<typeof createExpiryDates>

/** A provider says a day: the secret may end at any hour of it. */
const startOf = (day: string): Date => new Date(`${day}T00:00:00-03:00`)
