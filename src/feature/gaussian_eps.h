/* gaussian_eps.h: how much Gaussian noise (eps, delta) asks for. Sensitivity 1 throughout. */
#ifndef HRR_FEATURE_GAUSSIAN_EPS_H
#define HRR_FEATURE_GAUSSIAN_EPS_H

/* The largest rho for which every rho-zCDP mechanism, such as discrete Gaussian noise of
 * sigma^2 = 1/(2 rho) in any number of dimensions, is (eps, delta)-DP by the bound below. eps > 0,
 * 0 < delta < 1. */
double hrr_zcdp_rho(double eps, double delta);

/* An eps for which every rho-zCDP mechanism is (eps, delta)-DP. */
double hrr_zcdp_eps(double rho, double delta);

/* The least sigma of real-valued Gaussian noise (Balle and Wang, ICML 2018, theorem 8): what
 * noise on integers is compared with. */
double hrr_analytic_gaussian_sigma(double eps, double delta);

#endif
