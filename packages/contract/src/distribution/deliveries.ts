import { missingTimes, type Recurrence } from '../calls/recurrence.ts'
import { z } from '../calls/zod.ts'

/* What alerts and subscriptions have in common. */

export const instant = z.iso.datetime().nullable()

export const person = z.object({ idUsuario: z.number().int(), nomeUsuario: z.string() })

/** The fields of the report that one is about. */
export const deliveredReport = {
  idRelatorio: z.number().int(),
  nomeRelatorio: z.string(),
  /** The provider's ids of workspace and report, as the viewer's address has them. */
  idGrupo: z.string(),
  reportId: z.string(),
}

/**
 * Returns the schema of a draft, which also refuses a frequency without its times.
 * @param check refuses what does not fit together. Fields that are wrong by themselves may have any type:
 * the form shows all faults at once
 */
export const deliveryDraft = <S extends z.core.$ZodLooseShape>(
  id: string,
  shape: S,
  check: (draft: z.infer<z.ZodObject<S>>, refuse: (field: string, message: string) => void) => void,
) =>
  z
    .object(shape)
    .superRefine(
      (draft, context) => {
        const refuse = (field: string, message: string) =>
          context.addIssue({ code: 'custom', path: [field], message })
        check(draft, refuse)
        for (const [field, message] of missingTimes(draft as Partial<Recurrence>)) refuse(field, message)
      },
      { when: ({ value }) => typeof value === 'object' && value !== null },
    )
    .meta({ id })
