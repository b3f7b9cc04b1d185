import { useQuery } from '@tanstack/react-query'
import shared from '../../ui/shared.module.css'
import { datasetRolesQuery } from './registrations-queries.ts'

interface RolesNoticeProps {
  idRelatorio: number
  sendsIdentity: boolean
}

/** Warns that no role is chosen, or no identity sent, for a report whose dataset has or needs it. */
export const RolesNotice = ({ idRelatorio, sendsIdentity }: RolesNoticeProps) => {
  const { data } = useQuery(datasetRolesQuery(idRelatorio))
  if (data?.exigeIdentidade && !data.exigePapeis && !sendsIdentity)
    return (
      <p role="status" className={shared.fieldWarning}>
        O conjunto de dados deste relatório exige uma identidade, e nenhuma é enviada: o relatório não abre
        para ninguém. Ligue, em “Avançado”, “Enviar a identidade da pessoa” ou escolha os papéis.
      </p>
    )
  if (!data?.temPapeis) return null
  return (
    <p role="status" className={shared.fieldWarning}>
      O conjunto de dados deste relatório tem papéis de segurança, e nenhum foi escolhido:{' '}
      {data.exigePapeis
        ? 'o relatório não abre para ninguém.'
        : 'quem abre o relatório vê as linhas de todas as pessoas.'}{' '}
      Escolha ao menos um papel.
    </p>
  )
}
