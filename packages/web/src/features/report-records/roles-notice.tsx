import { useQuery } from '@tanstack/react-query'
import classes from './report-form.module.css'
import { datasetRolesQuery } from './report-records-queries.ts'

/** Warns that no role is chosen for a report whose dataset has roles. */
export const RolesNotice = ({ idRelatorio }: { idRelatorio: number }) => {
  const { data } = useQuery(datasetRolesQuery(idRelatorio))
  if (!data?.temPapeis) return null
  return (
    <p role="status" className={classes.warning}>
      O conjunto de dados deste relatório tem papéis de segurança, e nenhum foi escolhido:{' '}
      {data.exigePapeis
        ? 'o relatório não abre para ninguém.'
        : 'quem abre o relatório vê as linhas de todas as pessoas.'}{' '}
      Escolha ao menos um papel.
    </p>
  )
}
