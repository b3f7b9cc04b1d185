import { useSearchParams } from 'react-router'
import { useChooseFilters } from '../../lib/lists/use-change-search.ts'
import { entityIdOf } from '../../ui/entity-form/entity-page.tsx'

/** State of the chosen user and report, kept in the URL for links and the Back button. */
export const useUserAndReport = () => {
  const [params] = useSearchParams()
  const chooseFilters = useChooseFilters()
  return {
    usuario: entityIdOf(params.get('usuario')),
    relatorio: entityIdOf(params.get('relatorio')),
    choose: (name: 'usuario' | 'relatorio', id: number | undefined) => chooseFilters({ [name]: id }),
  }
}
