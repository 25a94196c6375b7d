// What a study says: means with their uncertainty, effects as differences surface by surface, figures; as CSV and HTML.
#pragma once
#include <string>
#include <vector>

#include "asperity/lab/study/database.h"
#include "asperity/lab/study/plan.h"

namespace asperity::lab {

/// A sample's mean, its standard deviation, and half of the 95 % confidence interval of the mean by Student's t.
struct Spread {
    int count = 0;
    double mean = 0, deviation = 0, half_width = 0;
};
Spread spread_of(const std::vector<double>& values);

struct SettingStatistics {
    int setting = 0;
    Spread mu_30, mu_10, mu_onset;
};
std::vector<SettingStatistics> statistics_of(const StudyPlan& plan, const std::vector<StudyResult>& results);

/// Change of a number between two settings on the same surfaces. Its spread is that of the differences.
Spread paired_difference(const std::vector<StudyResult>& results, int from, int to, const std::string& value);

/// Spearman's rank correlation; ties share their mean rank. Not a number below three pairs.
double rank_correlation(const std::vector<double>& a, const std::vector<double>& b);

std::string settings_csv(const StudyPlan& plan, const std::vector<SettingStatistics>& statistics);
std::string report_html(const StudyPlan& plan, const std::vector<StudyResult>& results,
                        const std::vector<SettingStatistics>& statistics);

}  // namespace asperity::lab
