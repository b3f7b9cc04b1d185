import { reportRegistrationsApi } from '@bi-manager/contract'
import { searchOptions } from '../../ui/search-select/select-options.ts'

/** Searches reports for viewers without an account, and marks those that they never see. */
export const searchReportsToShow = searchOptions(reportRegistrationsApi.list, (report) => ({
  value: report.idRelatorio,
  label: report.nomeRelatorio,
  description: report.nomeGrupo,
  mark:
    report.tipoRelatorio === 'PAGINADO'
      ? 'paginado: não pode'
      : report.sensivel
        ? 'dados sensíveis: não pode'
        : report.papeisRls.length > 0 || report.enviaIdentidade
          ? 'restringe as linhas'
          : undefined,
}))
