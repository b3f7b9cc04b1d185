import type { Services } from '../../http/services.ts'
import { certificateTargets } from './certificates.ts'

export interface ExpiryDate {
  /** Name shown to administrators, in Portuguese. */
  name: string
  kind: 'certificate' | 'secret'
  expiresAt: Date
}

/** An expiry whose date may be unknown. */
export interface Expiry extends Omit<ExpiryDate, 'expiresAt'> {
  /** Its setting or record: `PUBLIC_URL`, `powerbi:3`. */
  source: string
  /** Host and port of a certificate, or where the secret is renewed. */
  place: string
  /** The portal page where it is renewed. */
  path: string | undefined
  expiresAt: Date | undefined
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
    /** Returns every known date. */
    list: async (): Promise<ExpiryDate[]> =>
      [...(await certificates()), ...(await secrets())].flatMap(({ name, kind, expiresAt }) =>
        expiresAt ? { name, kind, expiresAt } : [],
      ),
  }
}

export type ExpiryDates = ReturnType<typeof createExpiryDates>

/** A provider states only the day, so the earliest hour counts. */
const startOf = (day: string): Date => new Date(`${day}T00:00:00-03:00`)
