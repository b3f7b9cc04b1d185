import { z } from 'zod'

/** Ids of the reports and datasets that a publication concerned; none from an earlier service. */
export const Concerned = z
  .object({ reports: z.array(z.string()), datasets: z.array(z.string()) })
  .default({ reports: [], datasets: [] })
  .transform(({ reports: relatorios, datasets: conjuntos }) => ({ relatorios, conjuntos }))
export type Concerned = z.output<typeof Concerned>
