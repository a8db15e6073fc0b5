.PHONY: run test check lock
run test check lock:
	python3 dev.py $@
