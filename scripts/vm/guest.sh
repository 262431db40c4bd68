#!/bin/bash
# Runs in the guest: the judge's tests as each user, results as files in the share.
. /share/settings.sh
export CI=1 NO_COLOR=1
chmod 777 /share
cd /opt/bonafide || exit 1
# Vite writes beside the settings that it reads.
find . -path ./node_modules/.pnpm -prune -o -type d -exec chown tester {} +
{ . /etc/os-release; echo "$PRETTY_NAME, kernel $(uname -r) $(uname -m), systemd $(systemctl --version | sed -n '1s/systemd \([0-9]*\).*/\1/p'), $(bwrap --version), $(python3 --version), LSM $(cat /sys/kernel/security/lsm)"; } > /share/machine.txt

# A login, as over ssh: the environment does not come along by itself.
login() { systemd-run --uid=tester -p PAMName=login --pipe --wait -q -d -E JUDGE_PATIENCE -E CI -E NO_COLOR "$@"; }

as() {
  case $1 in
    root) shift; "$@" ;;
    delegated) shift; login systemd-run --user --scope -q -p Delegate=yes "$@" ;;
    session) shift; login "$@" ;;
  esac
}

for user in $USERS; do
  # The one before may have been somebody else.
  rm -rf node_modules/.vite node_modules/.vite-temp
  as "$user" timeout 300 "$NODE" scripts/vm/doctor.mjs > "/share/$user.txt"
  { grep -m1 -o 'cgroup: version [12]' "/share/$user.txt" || echo none; } | sed 's/cgroup: //' > "/share/$user.cgroup.txt"
  for test in $TESTS; do
    echo "=== $user $test"
    as "$user" timeout 3000 "$NODE" node_modules/vitest/vitest.mjs run --project judge-runner --no-color \
      --reporter=default --reporter=json --outputFile.json="/share/$user-$test.json" "test/$test.test" 2>&1 | tail -n 60
  done
done

echo "=== left behind"
find /sys/fs/cgroup -name 'bonafide-judge-*'
pgrep -a bwrap
